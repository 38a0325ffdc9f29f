import type { Figures } from '../measure.ts'

/** Example figures of the service. */
export const figures = (given: Partial<Figures>): Figures => ({
  target: 'service',
  requestsPerSecond: 1500,
  p50Ms: 0.5,
  p99Ms: 12.34,
  nodeCpuUs: 250,
  postgresCpuUs: 50,
  generatorShare: 0.126,
  bytesPerResponse: 75,
  refusedShare: 0,
  residentMebibytes: 90,
  ...given,
})
