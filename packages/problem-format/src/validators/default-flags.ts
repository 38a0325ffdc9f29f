/** Decimal digits with an optional point and exponent, as the package format writes numbers. */
const TOLERANCE = /^\+?(?:\d+\.?\d*|\.\d+)(?:[Ee][+-]?\d+)?$/
const SWITCHES = ['case_sensitive', 'space_change_sensitive']
const TOLERANCES = ['float_relative_tolerance', 'float_absolute_tolerance', 'float_tolerance']

/** The fault of the default validator's arguments (2025-09); undefined if there is none. */
export function explainDefaultFlags(flags: string): string | undefined {
  const words = flags.split(/[ \f\n\r\t\v]+/).filter((word) => word !== '')
  const tolerances: string[] = []
  for (let i = 0; i < words.length; i += 1) {
    const flag = words[i] ?? ''
    if (SWITCHES.includes(flag)) continue
    if (!TOLERANCES.includes(flag)) {
      const known = [...SWITCHES, ...TOLERANCES.map((name) => `${name} E`)].join(', ')
      return `must not have ${flag.slice(0, 100)}: use ${known}`
    }
    i += 1
    const value = words[i] ?? ''
    if (!TOLERANCE.test(value) || !Number.isFinite(Number(value)))
      return `must have a number, 0 or more, after ${flag}`
    tolerances.push(flag)
  }
  if (new Set(tolerances).size < tolerances.length) return 'must not have a tolerance twice'
  if (tolerances.length > 1 && tolerances.includes('float_tolerance'))
    return 'must not have float_tolerance with another tolerance'
  return undefined
}
