import { defaultLanguagesFile, findLanguage, readLanguages } from '@judge-data-layer/languages'
import {
  type MessageHandler,
  type SandboxMode,
  startWorker,
  type Worker,
} from '../../packages/worker/src/worker.ts'
import { serveParent } from './child.ts'

/** Starts the worker, lets it judge submissions, `slots` at a time, or stops it. */
export type WorkerRequest =
  | { readonly type: 'start'; readonly apiUrl: string; readonly password: string; readonly mode: SandboxMode }
  | { readonly type: 'judge'; readonly ids: readonly string[]; readonly slots: number }
  | { readonly type: 'stop' }

export interface WorkerReply {
  /** After `start`: the isolation of programs. */
  readonly isolation?: string
  /** After `judge`: the time from the first message to the last stored verdict. */
  readonly milliseconds?: number
}

let worker: Worker | undefined
let judge: MessageHandler | undefined

serveParent(async (request: WorkerRequest): Promise<WorkerReply> => {
  if (request.type === 'start') return start(request)
  if (request.type === 'judge') return judgeAll(request)
  await worker?.stop()
  return {}
})

async function start({ apiUrl, password, mode }: WorkerRequest & { type: 'start' }): Promise<WorkerReply> {
  const all = await readLanguages(defaultLanguagesFile)
  const languages = ['C', 'Python'].flatMap((name) => findLanguage(all, name) ?? [])
  const source = {
    async consume(_concurrency: number, handler: MessageHandler) {
      judge = handler
      return { stop: async () => {} }
    },
  }
  worker = await startWorker({
    ...{ apiUrl, judgePassword: password, source, concurrency: 1, sandbox: mode },
    ...{ languages, allowWeakIsolation: true },
  })
  if (worker.installedLanguages.length < languages.length)
    throw new Error('this machine has no C compiler or no Python')
  return { isolation: worker.isolation }
}

async function judgeAll({ ids, slots }: WorkerRequest & { type: 'judge' }): Promise<WorkerReply> {
  const handle = judge
  if (handle === undefined) throw new Error('the worker has not started')
  const queue = ids.values()
  const startedMs = performance.now()
  const judgeQueued = async () => {
    for (const id of queue) await handle({ type: 'submission', id })
  }
  await Promise.all(Array.from({ length: slots }, judgeQueued))
  return { milliseconds: performance.now() - startedMs }
}
