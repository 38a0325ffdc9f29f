import type { PackageMetadata } from './package-problem.ts'

/**
 * Replaces `{{name}}` and `{{name.variant}}` by the constants of `problem.yaml` (2025-09). Sequences
 * of unknown names stay.
 */
export function replaceConstants(text: string, { constants }: Pick<PackageMetadata, 'constants'>): string {
  if (constants === undefined) return text
  return text.replace(/\{\{([A-Za-z_]\w*)(?:\.(\w+))?\}\}/g, (sequence, name: string, variant = 'value') => {
    const variants = Object.hasOwn(constants, name) ? constants[name] : undefined
    const value = variants && Object.hasOwn(variants, variant) ? variants[variant] : undefined
    return value === undefined ? sequence : String(value)
  })
}
