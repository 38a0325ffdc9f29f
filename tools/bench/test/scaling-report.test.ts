import { expect, test } from 'vitest'
import {
  writeDeletionsTable,
  writeInstancesTable,
  writePartitionsTable,
  writeWorkersTable,
} from '../scaling-report.ts'

const cost = { serviceUs: 116, postgresUs: 19.3, queueUs: undefined, walBytes: 5204, perSecond: 8766 }
const rowsOf = (table: string) => table.trim().split('\n').slice(2)

test('the cost of a request stands beside its number of instances', () => {
  const table = writeInstancesTable([{ ...cost, route: 'status poll', instances: 2, responseBytes: 74.6 }])
  expect(rowsOf(table)).toEqual(['| status poll | 2 | 116 | 19.3 | – | 5,204 | 74.6 | 8,766 |'])
})

test('the cost of a submission stands beside its number of workers', () => {
  const table = writeWorkersTable([{ ...cost, workers: 4, submissions: 1145, workersUs: 3537 }])
  expect(rowsOf(table)).toEqual(['| 4 | 1145 | 116 | 19.3 | – | 5,204 | 3,537 | 8,766 |'])
})

const partitions = {
  growth: [
    {
      ...{
        rows: 1_000_000,
        table: 'by_month' as const,
        tableBytes: 2 * 1024 ** 3,
        indexBytes: 1024 ** 3 / 2,
      },
      meanMs: { 'one by id': 0.25, submit: 1.5 },
    },
  ],
  deletions: [{ how: 'drop the partition', seconds: 0.04, walBytes: 1024 ** 2 / 2 }],
}

test('the growth of submissions has a column for each statement', () => {
  const [headings] = writePartitionsTable(partitions).split('\n')
  expect(headings).toBe('| rows | table | rows, GiB | indexes, GiB | one by id, ms | submit, ms |')
  expect(rowsOf(writePartitionsTable(partitions))).toEqual([
    '| 1,000,000 | by month | 2.00 | 0.50 | 0.25 | 1.50 |',
  ])
})

test('the removal of a month has its time and its WAL', () => {
  expect(rowsOf(writeDeletionsTable(partitions))).toEqual(['| drop the partition | 0.04 | 0.50 |'])
})
