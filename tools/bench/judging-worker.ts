import { defaultLanguagesFile, findLanguage, readLanguages } from '@judge-data-layer/languages'
import {
  type Message,
  type MessageHandler,
  type SandboxMode,
  startWorker,
  type Worker,
} from '../../packages/worker/src/worker.ts'
import { serveParent } from './child.ts'

/** Starts the worker, lets it judge a submission, or stops it. */
export type WorkerRequest =
  | { readonly type: 'start'; readonly apiUrl: string; readonly password: string; readonly mode: SandboxMode }
  | { readonly type: 'judge'; readonly id: string }
  | { readonly type: 'stop' }

export interface WorkerReply {
  /** After `start`: the isolation of programs. */
  readonly isolation?: string
  /** After `judge`: the time from the message to the stored verdict. */
  readonly milliseconds?: number
}

let worker: Worker | undefined
let judge: MessageHandler | undefined

serveParent(async (request: WorkerRequest): Promise<WorkerReply> => {
  if (request.type === 'start') return start(request)
  if (request.type === 'judge') return judgeOne({ type: 'submission', id: request.id })
  await worker?.stop()
  return {}
})

async function start({ apiUrl, password, mode }: WorkerRequest & { type: 'start' }): Promise<WorkerReply> {
  const language = findLanguage(await readLanguages(defaultLanguagesFile), 'C')
  if (language === undefined) throw new Error('the language file has no C')
  const source = {
    async consume(_concurrency: number, handler: MessageHandler) {
      judge = handler
      return { stop: async () => {} }
    },
  }
  worker = await startWorker({
    ...{ apiUrl, judgePassword: password, source, concurrency: 1, sandbox: mode },
    ...{ languages: [language], allowWeakIsolation: true },
  })
  if (worker.installedLanguages.length === 0) throw new Error('this machine has no C compiler')
  return { isolation: worker.isolation }
}

async function judgeOne(message: Message): Promise<WorkerReply> {
  if (judge === undefined) throw new Error('the worker has not started')
  const startedMs = performance.now()
  await judge(message)
  return { milliseconds: performance.now() - startedMs }
}
