import { writeColumns } from './columns.ts'
import { round } from './measure.ts'
import type { Cost, ScalingResult } from './scaling.ts'

const costColumns = {
  'service µs': ({ serviceUs }: Cost) => round(serviceUs),
  'PostgreSQL µs': ({ postgresUs }: Cost) => round(postgresUs),
  'RabbitMQ µs': ({ queueUs }: Cost) => round(queueUs),
  'WAL bytes': ({ walBytes }: Cost) => round(walBytes),
}

/** The cost of a request by the number of instances. */
export const writeInstancesTable = (results: ScalingResult['instances']): string =>
  writeColumns(results, {
    route: ({ route }) => route,
    instances: ({ instances }) => instances,
    ...costColumns,
    'response bytes': ({ responseBytes }) => round(responseBytes),
    'requests/s': ({ perSecond }) => round(perSecond),
  })

/** The cost of a submission with its verdict by the number of workers. */
export const writeWorkersTable = (results: ScalingResult['workers']): string =>
  writeColumns(results, {
    workers: ({ workers }) => workers,
    submissions: ({ submissions }) => submissions,
    ...costColumns,
    'workers µs': ({ workersUs }) => round(workersUs),
    'submissions/s': ({ perSecond }) => round(perSecond),
  })
