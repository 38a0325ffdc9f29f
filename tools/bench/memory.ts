import { writeRequest } from './route.ts'
import { hotRoutes } from './routes.ts'
import { loadServer } from './slice.ts'
import type { Generator, Stage } from './stage.ts'

/** The memory of the service after a minute of load. */
export interface MemoryReading {
  readonly minutes: number
  readonly residentMebibytes: number
  readonly requestsPerSecond: number
  readonly refusedShare: number
}

const CONNECTIONS = 256

/** Loads the service with the contest mix. Returns its memory after each minute. */
export async function runMemory(
  stage: Stage,
  generator: Generator,
  minutes: number,
): Promise<MemoryReading[]> {
  const route = hotRoutes.find(({ isMix }) => isMix)
  if (route === undefined) throw new Error('There is no mix among the routes')
  const requests = (await route.exchanges(stage.world)).map(writeRequest)
  await generator.call({ kind: 'requests', name: 'mix', requests })
  const readings: MemoryReading[] = []
  for (let minute = 1; minute <= minutes; minute += 1) {
    const { pid, port } = stage.service
    const slice = await loadServer(
      stage,
      generator,
      { pid, port, requests: 'mix', statuses: route.statuses },
      { connections: CONNECTIONS, seconds: 60, first: 0 },
    )
    const reading = {
      minutes: minute,
      residentMebibytes: slice.residentMebibytes ?? Number.NaN,
      requestsPerSecond: slice.requests / slice.seconds,
      refusedShare: slice.refused / (slice.requests + slice.refused),
    }
    readings.push(reading)
    const { residentMebibytes: memory, requestsPerSecond: rate } = reading
    console.log(`minute ${minute}: ${Math.round(memory)} MiB, ${Math.round(rate)} requests/s`)
  }
  return readings
}
