import type { Validation } from '../service/judging-options.ts'

/** What `read` makes of the flags of a test case, by its number (from 1). Reads each text once. */
export function readCaseFlags<T extends object>(
  { flags = '', case_flags = [] }: Validation,
  read: (flags: string) => T,
): (number: number) => T {
  const common = read(flags)
  const values = new Map([[flags, common]])
  const readOnce = (text: string) => {
    const value = values.get(text) ?? read(text)
    values.set(text, value)
    return value
  }
  const own = new Map<number, T>()
  for (const entry of case_flags) for (const number of entry.cases) own.set(number, readOnce(entry.flags))
  return (number) => own.get(number) ?? common
}
