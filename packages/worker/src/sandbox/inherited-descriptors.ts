import { closeSync, readdirSync, readFileSync } from 'node:fs'
import { tryOr } from '../shared/try-or.ts'

const LAST_STANDARD = 2
const CLOSE_ON_EXEC = 0o2000000

/**
 * Closes inherited descriptors except the standard ones: programs would inherit them too. Node's
 * own descriptors are closed on exec and stay open here.
 */
export function closeInheritedDescriptors(): void {
  for (const name of tryOr(() => readdirSync('/proc/self/fdinfo'), [])) {
    const descriptor = Number(name)
    if (descriptor > LAST_STANDARD && isInheritable(descriptor)) closeSync(descriptor)
  }
}

function isInheritable(descriptor: number): boolean {
  const info = tryOr(() => readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'), '')
  const flags = /^flags:\s+([0-7]+)$/m.exec(info)?.[1]
  return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0
}
