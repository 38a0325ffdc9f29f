import { randomUUID } from 'node:crypto'
import type { Logger } from '../../src/background/outage-log.ts'
import type { Database } from '../../src/db/database.ts'
import { unprepared } from '../../src/db/statement.ts'
import type { MessageKind } from '../../src/queue/broker.ts'

const insertRows = unprepared(
  'insert into outbox (kind, subject_id) select $1, subject.id from unnest($2::uuid[]) as subject (id)',
)

/** Commits `count` outbox rows for unknown subjects; resolves to the ids of the subjects. */
export async function queueRows(db: Database, count: number, kind: MessageKind = 'submission') {
  const ids = Array.from({ length: count }, () => randomUUID())
  await db.query(insertRows, [kind, ids])
  return ids
}

export type OutboxRow = {
  id: string
  subject_id: string
  claims: number
  claimed_until: string | null
  is_due: boolean
}

const selectRows =
  unprepared<OutboxRow>(`select outbox.id::text, outbox.subject_id::text, outbox.claims, outbox.claimed_until::text,
          outbox.claimed_until is null or outbox.claimed_until <= now() as is_due
   from outbox
   order by outbox.id`)

/** Reads every row of the outbox; `is_due` means that it can be claimed. */
export function readRows(db: Database): Promise<OutboxRow[]> {
  return db.query(selectRows)
}

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
}

/** Returns a logger that keeps its lines. */
export function keepLog(): Logger & { readonly lines: LogLine[] } {
  const lines: LogLine[] = []
  return {
    lines,
    info: (_, message) => void lines.push({ level: 'info', message }),
    warn: (_, message) => void lines.push({ level: 'warn', message }),
    error: (_, message) => void lines.push({ level: 'error', message }),
  }
}

/** Returns a promise that resolves when the gate opens. */
export function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open: () => open() }
}

/** Empties the outbox between the tests of a file. */
export async function emptyOutbox(db: Database): Promise<void> {
  await db.query(unprepared('delete from outbox'))
}
