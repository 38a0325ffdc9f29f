import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { bindBatch } from '../../../src/db/batch-form.ts'
import { type BatchForm, bind, type NamedValues, type Row } from '../../../src/db/statement.ts'
import { serveParent } from '../child.ts'
import { serveBodies } from './respond.ts'

/** The most requests of a batch. */
const MOST_REQUESTS = 64

/** The coalesced ceiling: `/n` is a request with the n-th values. */
export interface CoalescedService {
  readonly databaseUrl: string
  readonly poolSize: number
  /** How many statements may be in flight. */
  readonly most: number
  /** The statement of a lone request. */
  readonly name: string
  readonly text: string
  readonly order: readonly string[] | undefined
  readonly batch: BatchForm
  readonly values: readonly NamedValues[]
}

interface Member {
  readonly values: NamedValues
  resolve(body: string): void
  reject(err: unknown): void
}

/** Replies with the port. */
serveParent(async (service: CoalescedService): Promise<number> => {
  const { databaseUrl, poolSize, most } = service
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize, options: '-c jit=off' })
  const waiting: Member[] = []
  let inFlight = 0
  let isScheduled = false
  const start = (): void => {
    while (waiting.length > 0 && inFlight < most) {
      inFlight += 1
      void settle(pool, service, waiting.splice(0, MOST_REQUESTS)).finally(() => {
        inFlight -= 1
        start()
      })
    }
  }
  // At the end of this turn of the event loop its other requests are known.
  const schedule = (): void => {
    if (isScheduled || inFlight >= most) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      start()
    })
  }
  return serveBodies((n) => {
    const values = service.values[n] ?? {}
    return new Promise((resolve, reject) => {
      // A new record needs an id of its own.
      waiting.push({
        values: 'id' in values && service.batch.writes ? { ...values, id: uuidv7() } : values,
        resolve,
        reject,
      })
      schedule()
    })
  })
})

/** Runs the requests as one statement. Never rejects: each gets its body or the error. */
async function settle(pool: pg.Pool, service: CoalescedService, members: readonly Member[]): Promise<void> {
  try {
    const rows = await run(pool, service, members)
    for (const row of rows) members[Number(row.place ?? 1) - 1]?.resolve(readBody(row))
    for (const { reject } of members) reject(new Error('there is no row for the request'))
  } catch (err) {
    for (const { reject } of members) reject(err)
  }
}

async function run(pool: pg.Pool, service: CoalescedService, members: readonly Member[]): Promise<Row[]> {
  const { name, text, batch } = service
  const requests = members.map(({ values }) => values)
  const query =
    requests.length === 1
      ? { name, text, values: bind(service, requests[0]) }
      : { name: batch.name, text: batch.text, values: bindBatch(batch, requests) }
  return (await pool.query<Row>(query)).rows
}

/** The body; empty for a verdict. Throws if the statement refused the values. */
function readBody({ body, outcome }: Row): string {
  if (typeof body === 'string') return body
  if (outcome === 'stored' || outcome === 'late') return ''
  throw new Error(`the statement refused the values: ${outcome}`)
}
