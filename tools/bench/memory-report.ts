import { writeTable } from '../local-servers/report.ts'
import { round } from './measure.ts'
import { growthOf, MEMORY_TARGETS, type MemoryReading } from './memory.ts'

/** The memory of the service: idle, then minute by minute, with the targets. */
export function writeMemoryTable(readings: readonly MemoryReading[]): string {
  const growth = growthOf(readings)
  const isIdle = ({ minutes }: MemoryReading) => minutes === 0
  const isMet = (reading: MemoryReading) =>
    isIdle(reading)
      ? reading.residentMebibytes < MEMORY_TARGETS.idle
      : reading.residentMebibytes <= MEMORY_TARGETS.loaded
  const rows = readings.map((reading) => [
    ...[isIdle(reading) ? 'idle' : reading.minutes, round(reading.residentMebibytes)],
    isIdle(reading) ? `below ${MEMORY_TARGETS.idle}` : `at most ${MEMORY_TARGETS.loaded}`,
    isMet(reading) ? 'yes' : 'no',
    ...(isIdle(reading)
      ? [undefined, undefined]
      : [round(reading.requestsPerSecond), `${Math.round(reading.refusedShare * 100)} %`]),
  ])
  const grown =
    growth === undefined
      ? ''
      : `The second half of the minutes had ${growth.toFixed(2)} times the memory of the first half; target: at most ${MEMORY_TARGETS.growth.toFixed(2)}; ${growth <= MEMORY_TARGETS.growth ? 'met' : 'missed'}.\n\n`
  return `${grown}${writeTable(['minute', 'MiB', 'target', 'met', 'requests/s', 'refused'], rows)}`
}
