/** Writes microseconds since 1970 as the SQL function `utc` does, without needless digits. */
export function writeInstant(micros: number): string {
  const seconds = new Date(Math.floor(micros / 1e6) * 1000).toISOString().slice(0, -5)
  const fraction = micros - Math.floor(micros / 1e6) * 1e6
  if (fraction === 0) return `${seconds}Z`
  const digits = String(fraction).padStart(6, '0')
  return `${seconds}.${digits.endsWith('000') ? digits.slice(0, 3) : digits}Z`
}
