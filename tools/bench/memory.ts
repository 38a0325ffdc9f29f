import { setTimeout as sleep } from 'node:timers/promises'
import { readResidentMebibytes } from '../local-servers/process-tree.ts'
import { loadServer, storeRequests } from './load.ts'
import { median } from './measure.ts'
import { hotRoutes } from './routes.ts'
import type { Stage } from './stage.ts'

/** The memory of the service after a minute of load; minute 0: idle, before the first request. */
export type MemoryReading = Awaited<ReturnType<typeof runMemory>>[number]

const CONNECTIONS = 256
/** The start has ended, and so has the first round of its background work. */
const IDLE_MS = 30_000

/** The targets of the memory test, in MiB, and as a ratio of the second half to the first one. */
export const MEMORY_TARGETS = { idle: 110, loaded: 250, growth: 1.05 } as const

/** Reads the memory of the idle service, and every minute while the contest mix loads it. */
export async function runMemory(stage: Stage, minutes: number) {
  const route = hotRoutes.find(({ isMix }) => isMix)
  if (route === undefined) throw new Error('There is no mix among the routes')
  await storeRequests(stage, 'mix', await route.exchanges(stage.world))
  const aim = { server: stage.service, requests: 'mix', statuses: route.statuses }
  await sleep(IDLE_MS)
  const readMemory = () => readResidentMebibytes(stage.service.pid)
  const readings = [{ minutes: 0, residentMebibytes: readMemory(), requestsPerSecond: 0, refusedShare: 0 }]
  for (let minute = 1; minute <= minutes; minute += 1) {
    const { requests, seconds, refused } = await loadServer(stage, aim, CONNECTIONS, 60)
    readings.push({
      ...{ minutes: minute, residentMebibytes: readMemory() },
      ...{ requestsPerSecond: requests / seconds, refusedShare: refused / (requests + refused) },
    })
    console.log(
      `minute ${minute}: ${Math.round(readMemory())} MiB, ${Math.round(requests / seconds)} requests/s`,
    )
  }
  return readings
}

/** Median memory of the second half of the minutes over the first; undefined below four. */
export function growthOf(readings: readonly MemoryReading[]): number | undefined {
  const loaded = readings.filter(({ minutes }) => minutes > 0)
  if (loaded.length < 4) return undefined
  const medianOf = (part: readonly MemoryReading[]) =>
    median(part.map(({ residentMebibytes }) => residentMebibytes))
  const middle = Math.ceil(loaded.length / 2)
  return medianOf(loaded.slice(middle)) / medianOf(loaded.slice(0, middle))
}
