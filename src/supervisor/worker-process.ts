import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import { StartError } from '../config/start-error.ts'
import type { ChildOptions } from './child.ts'

/** How the worker is started, once the address of the service is known. */
export type DescribeWorker = (url: string) => ChildOptions

/**
 * Finds the installed worker. Its environment holds the address of the service, `JUDGE_PASSWORD`
 * and the worker's own settings, and no other secret. Throws `StartError` if it is not installed.
 */
export async function findWorker(
  variables: NodeJS.ProcessEnv,
  flags: readonly string[],
): Promise<DescribeWorker> {
  const { SUPERVISED_VARIABLES } = await import('@judge-data-layer/worker/supervised').catch((err) => {
    if (err.code !== 'ERR_MODULE_NOT_FOUND') throw err
    throw new StartError('--judge', 'the package @judge-data-layer/worker is not installed', err)
  })
  const script = fileURLToPath(import.meta.resolve('@judge-data-layer/worker/main'))
  const settings = Object.fromEntries(
    SUPERVISED_VARIABLES.flatMap((name) => (variables[name]?.trim() ? [[name, variables[name]]] : [])),
  )
  const { JUDGE_PASSWORD, WORKER_METRICS_PORT: METRICS_PORT } = variables
  return (url) => ({
    script,
    args: ['--supervised', ...flags],
    // The same name after a restart: it is the same worker of this machine.
    environment: { WORKER_NAME: hostname(), ...settings, METRICS_PORT, JUDGE_PASSWORD, JUDGE_API_URL: url },
    user: undefined,
  })
}
