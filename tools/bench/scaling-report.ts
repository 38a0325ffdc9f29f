import { writeColumns } from './columns.ts'
import { round } from './measure.ts'
import type { GrowthReading, PartitionsResult } from './partitions.ts'
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

const TABLE_NAMES = { one_table: 'one table', by_month: 'by month' }
const GIBIBYTE = 1024 ** 3

/** The size and the speed of `submissions` by its number of rows. */
export function writePartitionsTable({ growth }: PartitionsResult): string {
  const statements = Object.keys(growth[0]?.meanMs ?? {})
  const timeColumns = statements.map((name) => [
    `${name}, ms`,
    ({ meanMs }: GrowthReading) => round(meanMs[name]),
  ])
  return writeColumns(growth, {
    rows: ({ rows }) => rows.toLocaleString('en'),
    table: ({ table }) => TABLE_NAMES[table],
    'rows, GiB': ({ tableBytes }) => round(tableBytes / GIBIBYTE),
    'indexes, GiB': ({ indexBytes }) => round(indexBytes / GIBIBYTE),
    ...Object.fromEntries(timeColumns),
  })
}

/** What the removal of the oldest month costs. */
export const writeDeletionsTable = ({ deletions }: PartitionsResult): string =>
  writeColumns(deletions, {
    'the oldest month': ({ how }) => how,
    seconds: ({ seconds }) => round(seconds),
    'WAL, MiB': ({ walBytes }) => round(walBytes / 1024 ** 2),
  })
