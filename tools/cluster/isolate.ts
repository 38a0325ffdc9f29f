import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('./isolate.sh', import.meta.url))
const MARK = 'JUDGE_CLUSTER_ISOLATED'

/** Whether this process runs in namespaces of its own. */
export const isIsolated = (): boolean => process.env[MARK] !== undefined

/**
 * Runs this process's own command again, in new namespaces. Returns its exit code. Everything in
 * them ends with this process, even if it is killed.
 */
export async function runIsolated(): Promise<number> {
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', '--', SCRIPT, ...command], {
    stdio: 'inherit',
    env: { ...process.env, [MARK]: '1' },
  })
  // A terminal sends Ctrl-C to the child too, which then ends in order.
  process.on('SIGINT', () => {})
  const [code] = await once(child, 'exit')
  return code ?? 1
}
