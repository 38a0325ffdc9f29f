import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import { StartError } from '../config/start-error.ts'
import type { ChildOptions } from './child.ts'

export type SupervisedWorker = Awaited<ReturnType<typeof findWorker>>

/**
 * Finds the installed worker. Its environment holds the address of the service, `JUDGE_PASSWORD`
 * and the worker's own settings, and no other secret. Throws `StartError` if it is not installed.
 */
export async function findWorker(variables: NodeJS.ProcessEnv, flags: readonly string[]) {
  const { SUPERVISED_VARIABLES, leaveProgramsGroup } = await import(
    '@judge-data-layer/worker/supervised'
  ).catch((err) => {
    if (err.code !== 'ERR_MODULE_NOT_FOUND') throw err
    throw new StartError('--judge', 'the package @judge-data-layer/worker is not installed', err)
  })
  const script = fileURLToPath(import.meta.resolve('@judge-data-layer/worker/main'))
  const settings = Object.fromEntries(
    SUPERVISED_VARIABLES.flatMap((name) => (variables[name]?.trim() ? [[name, variables[name]]] : [])),
  )
  // The same name after a restart: it is the same worker of this machine.
  const name = settings.WORKER_NAME ?? hostname()
  const { JUDGE_PASSWORD, WORKER_METRICS_PORT: METRICS_PORT } = variables
  return {
    /** Its name in the list of judges. */
    name,
    /** Leaves the control group of this process to programs. Throws if that is not possible. */
    leaveProgramsGroup,
    /** How it is started, once the address of the service is known. */
    describe: (url: string): ChildOptions => ({
      script,
      args: ['--supervised', ...flags],
      environment: { ...settings, WORKER_NAME: name, METRICS_PORT, JUDGE_PASSWORD, JUDGE_API_URL: url },
      user: undefined,
    }),
  }
}
