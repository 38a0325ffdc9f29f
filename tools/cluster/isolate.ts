import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('./isolate.sh', import.meta.url))
const MARK = 'JUDGE_CLUSTER_ISOLATED'

/** Whether this process runs in namespaces of its own. */
export const isIsolated = (): boolean => process.env[MARK] !== undefined

/**
 * Starts this process's own command again, in new namespaces. Everything in them ends with this
 * process, even if it is killed.
 */
export function startIsolated(): ChildProcess {
  // A terminal sends Ctrl-C to the child too, which then ends in order.
  process.on('SIGINT', () => {})
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  return spawn('setpriv', ['--pdeathsig', 'KILL', '--', SCRIPT, ...command], {
    stdio: 'inherit',
    env: { ...process.env, [MARK]: '1' },
  })
}

/** Runs this process's own command again, in new namespaces. Returns its exit code. */
export async function runIsolated(): Promise<number> {
  const [code] = await once(startIsolated(), 'exit')
  return code ?? 1
}
