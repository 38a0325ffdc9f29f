import { hotRoutes } from './routes.ts'
import type { Stage } from './stage.ts'
import { loadServer, storeRequests } from './load.ts'

/** The memory of the service after a minute of load. */
export interface MemoryReading {
  readonly minutes: number
  readonly residentMebibytes: number
  readonly requestsPerSecond: number
  readonly refusedShare: number
}

const CONNECTIONS = 256

/** Loads the service with the contest mix. Returns its memory after each minute. */
export async function runMemory(stage: Stage, minutes: number): Promise<MemoryReading[]> {
  const route = hotRoutes.find(({ isMix }) => isMix)
  if (route === undefined) throw new Error('There is no mix among the routes')
  await storeRequests(stage, 'mix', await route.exchanges(stage.world))
  const { pid, port } = stage.service
  const aim = { pid, port, requests: 'mix', statuses: route.statuses }
  const readings: MemoryReading[] = []
  for (let minute = 1; minute <= minutes; minute += 1) {
    const slice = await loadServer(stage, aim, CONNECTIONS, 60)
    const memory = slice.residentMebibytes ?? Number.NaN
    const rate = slice.requests / slice.seconds
    const refusedShare = slice.refused / (slice.requests + slice.refused)
    readings.push({ minutes: minute, residentMebibytes: memory, requestsPerSecond: rate, refusedShare })
    console.log(`minute ${minute}: ${Math.round(memory)} MiB, ${Math.round(rate)} requests/s`)
  }
  return readings
}
