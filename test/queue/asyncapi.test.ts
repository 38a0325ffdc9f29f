import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Parser } from '@asyncapi/parser'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { verdictStatuses } from '../../src/features/judging/submissions/rules.ts'
import { SECRETS } from '../support/app.ts'
import { openQueueContract, queueDocumentFile } from './harness.ts'

const contract = await openQueueContract()

describe('docs/asyncapi.yaml', () => {
  test('is valid AsyncAPI 3.1 without warnings', async () => {
    const { document, diagnostics } = await new Parser().parse(await readFile(queueDocumentFile, 'utf8'))
    expect(document?.version()).toBe('3.1.0')
    expect(diagnostics.map(({ code }) => code)).toEqual([])
  })

  test('has the default queue name', () => {
    const { queue } = loadConfig(SECRETS)
    const { address, bindings } = contract.document.channels.gradingQueue
    expect([address, bindings.amqp.queue.name]).toEqual([queue.name, queue.name])
  })

  test.each(['submission', 'input'] as const)(
    'has valid examples of a message of type %s, and requires exactly its fields and headers',
    (kind) => {
      const { examples } = contract.document.components.messages[kind]
      expect(examples.length).toBeGreaterThan(0)
      const id = randomUUID()
      const headers = { judging: 1, attempt: 1, enqueued_at: '2026-04-01T18:00:00Z' }
      for (const example of [...examples, { headers, payload: { type: kind, id } }]) {
        expect(contract.headers(kind, example.headers)).toEqual([])
        expect(contract.payload(kind, example.payload)).toEqual([])
      }
      const payloads = [{ type: kind, id, more: 1 }, { id }, { type: kind }, { type: 'other', id }]
      const { judging, ...withoutJudging } = headers
      const { attempt, ...withoutAttempt } = headers
      const others = [{ ...headers, more: 1 }, withoutJudging, withoutAttempt, { judging, attempt }]
      for (const payload of payloads) expect(contract.payload(kind, payload)).toHaveLength(1)
      for (const other of others) expect(contract.headers(kind, other)).toHaveLength(1)
    },
  )
})

describe('docs/writing-a-worker.md', () => {
  const file = new URL('../../docs/writing-a-worker.md', import.meta.url)

  test('describes every status (D23)', async () => {
    const rows = [...(await readFile(file, 'utf8')).matchAll(/^\| `([A-Z_]+)` +\| [^|]*\w/gm)]
    expect(rows.map(([, status]) => status).sort()).toEqual(verdictStatuses([]).sort())
  })
})
