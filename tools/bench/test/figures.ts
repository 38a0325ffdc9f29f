import type { Figures } from '../measure.ts'

/** Figures of a target, those of the service unless they are given. */
export const figures = (given: Partial<Figures>): Figures => ({
  target: 'service',
  requestsPerSecond: 1500,
  p50Ms: 0.5,
  p99Ms: 12.34,
  nodeCpuUs: 250,
  postgresCpuUs: 50,
  generatorShare: 0.126,
  bytesPerAnswer: 75,
  refusedShare: 0,
  residentMebibytes: 90,
  ...given,
})
