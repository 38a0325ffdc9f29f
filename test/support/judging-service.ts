import { defaultLanguagesFile, readLanguages } from '@judge-data-layer/languages'
import { startWorker } from '@judge-data-layer/worker'
import { openSubmitter, ROOT } from '../../tools/local-servers/submitter.ts'
import { JUDGE_PASSWORD } from './app.ts'
import { closeLater, once } from './cleanup.ts'
import { freshDatabaseVariables } from './process-database.ts'
import { type ProductionService, startProductionService } from './production-service.ts'

/** Starts the service with a worker, the admin `ROOT` and a problem; both stop with the test. */
export async function startJudgingService(variables: Record<string, string> = {}) {
  const { judge, ...service } = await openJudgingService(variables)
  await judge()
  return service
}

/** The same, but the worker starts with `judge`. */
export async function openJudgingService(variables: Record<string, string> = {}) {
  const accounts = { BASIC_REGISTRATION_ENABLED: 'true', ADMIN_EMAILS: ROOT.email }
  const all = { ...accounts, ...(await freshDatabaseVariables()), ...variables }
  const service = await startProductionService(all)
  const { url, log } = service
  const judge = () => startWorkerOf(service, 'bubblewrap-if-installed')
  return { url, log, judge, ...(await openSubmitter(url)) }
}

/** Starts a worker on the queue of a service. It stops with the test or the file, or before. */
export async function startWorkerOf(
  { url, localQueue }: ProductionService,
  sandbox: 'bubblewrap' | 'bubblewrap-if-installed',
  concurrency = 1,
) {
  if (localQueue === undefined) throw new Error('the queue is not in this process')
  const worker = await startWorker({
    ...{ apiUrl: url, judgePassword: JUDGE_PASSWORD, source: localQueue, concurrency, sandbox },
    languages: await readLanguages(defaultLanguagesFile),
  })
  const stop = once(() => worker.stop())
  closeLater(stop)
  return stop
}
