import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Language } from '@judge-data-layer/languages'
import { afterEach, beforeEach } from 'vitest'
import type { MessageHandler, MessageSource } from '../../src/messages/message-source.ts'
import { type Message, startWorker, type Worker, type WorkerOptions } from '../../src/worker.ts'
import { type JudgeService, PASSWORD, startJudgeService } from './judge-service.ts'
import { createTextLog } from './line-logger.ts'
import { waitFor } from './wait.ts'

/** A language whose programs start quickly. */
export const shell: Language = {
  ...{ name: 'Shell', aliases: ['sh'], extensions: ['sh'], version: '1', sourceFile: 'main.sh' },
  ...{ check: ['/bin/sh', '-n', '{source}'], run: ['/bin/sh', '{source}'], environment: {} },
  ...{ locks: false, memoryOverheadMib: 0, timeMultiplier: 1, compileLimits: {} },
}

export const tests = [
  { input: '1', expected_output: '2' },
  { input: '2', expected_output: '4', hidden: true },
]

export const right = { language: 'Shell', source_code: 'read n; echo $((2 * n))', tests }

/** Gives each test of a file a service, a list of messages and a worker. */
export function useTestWorker() {
  let service: JudgeService
  let list: ReturnType<typeof createListSource>
  let worker: Worker | undefined
  let log: ReturnType<typeof createTextLog>

  beforeEach(async () => {
    service = await startJudgeService()
    list = createListSource()
    log = createTextLog()
  })
  afterEach(async () => {
    await worker?.stop()
    worker = undefined
    await service.close()
  })

  const put = (ids: readonly string[]) =>
    list.put(...ids.map((id): Message => ({ type: service.runs.has(id) ? 'input' : 'submission', id })))
  const start = async (changes: Partial<WorkerOptions> = {}): Promise<Worker> => {
    worker = await startWorker({
      ...{ apiUrl: service.url, judgePassword: PASSWORD, source: list.source, concurrency: 1 },
      ...{ languages: [shell], sandbox: 'unsandboxed', workerName: 'judge-1' },
      ...{ logger: log.logger, ...changes },
    })
    return worker
  }
  return {
    get service() {
      return service
    },
    get list() {
      return list
    },
    get logged() {
      return log.text
    },
    start,
    /** Puts the messages of submissions and runs in the list. */
    queue: (...ids: string[]) => put(ids),
    /** Starts the worker unless it runs, and waits until it has handled these messages. */
    async judge(...ids: string[]) {
      if (!worker) await start()
      put(ids)
      await waitFor('an empty list', () => list.isIdle)
    },
    verdictsOf: (id: string) => (service.submissions.get(id) ?? service.runs.get(id))?.verdicts ?? [],
  }
}

/** The temporary folders of this process's workers. */
export async function listWorkerFolders(): Promise<string[]> {
  const names = await readdir(tmpdir())
  return names
    .filter((name) => name.startsWith('judge-worker-') && name.includes(`-${process.pid}-`))
    .map((name) => join(tmpdir(), name))
}

/** A source in this process. Rejected messages go back to its end. */
function createListSource() {
  const waiting: Message[] = []
  const running = new Set<Promise<void>>()
  const returned: { message: Message; reason: string }[] = []
  let consumer: { concurrency: number; handler: MessageHandler } | undefined
  let mostAtOnce = 0

  const deliver = () => {
    while (consumer && running.size < consumer.concurrency) {
      const message = waiting.shift()
      if (!message) return
      const call = consumer
        .handler(message)
        .catch((err: unknown) => {
          returned.push({ message, reason: String(err) })
          waiting.push(message)
        })
        .finally(() => {
          running.delete(call)
          setImmediate(deliver)
        })
      running.add(call)
      mostAtOnce = Math.max(mostAtOnce, running.size)
    }
  }
  const source: MessageSource = {
    async consume(concurrency, handler) {
      consumer = { concurrency, handler }
      deliver()
      return {
        async stop() {
          consumer = undefined
          await Promise.all(running)
        },
      }
    },
  }
  return {
    source,
    returned,
    get mostAtOnce() {
      return mostAtOnce
    },
    get isIdle() {
      return waiting.length === 0 && running.size === 0
    },
    put(...messages: Message[]) {
      waiting.push(...messages)
      deliver()
    },
  }
}
