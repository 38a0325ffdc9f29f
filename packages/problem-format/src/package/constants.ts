import { lineAt, PackageError } from './package-files.ts'
import type { PackageMetadata } from './package-problem.ts'

/** The constants of `problem.yaml`. */
export type Constants = Pick<PackageMetadata, 'constants'>

const SEQUENCE = /\{\{([A-Za-z_]\w*)(?:\.(\w+))?\}\}/g
const LATEX_SEQUENCE = /\\constant\s*\{([A-Za-z_]\w*)(?:\.(\w+))?\}/g
const MOST_LENGTH = 4 * 1024 * 1024

/**
 * Replaces `{{name}}` and `{{name.variant}}` by the constants of `problem.yaml` (2025-09), in LaTeX
 * `\constant{name}`. Sequences of unknown names stay. Throws `PackageError` if the text gets very
 * long.
 */
export function expandConstants(path: string, text: string, { constants }: Constants): string {
  if (constants === undefined) return text
  const sequence = path.endsWith('.tex') ? LATEX_SEQUENCE : SEQUENCE
  let length = text.length
  for (const { 0: found, 1: name = '', 2: variant, index } of text.matchAll(sequence)) {
    length += findConstant(constants, name, variant)?.length ?? 0
    if (length > MOST_LENGTH)
      throw new PackageError(path, `the file is too long with its constants: ${found}`, lineAt(text, index))
  }
  return text.replace(
    sequence,
    (found, name: string, variant?: string) => findConstant(constants, name, variant) ?? found,
  )
}

function findConstant(
  constants: NonNullable<Constants['constants']>,
  name: string,
  variant = 'value',
): string | undefined {
  const variants = Object.hasOwn(constants, name) ? constants[name] : undefined
  const value = variants && Object.hasOwn(variants, variant) ? variants[variant] : undefined
  return value === undefined ? undefined : String(value)
}
