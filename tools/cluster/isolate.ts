import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('./isolate.sh', import.meta.url))
/** The variable has the network namespace of the process that made the others. */
const MARK = 'JUDGE_CLUSTER_OUTSIDE'

const ownNetwork = () => readlinkSync('/proc/self/ns/net')

/** Whether this process runs in namespaces of its own. */
export const isIsolated = (): boolean => (process.env[MARK] ?? ownNetwork()) !== ownNetwork()

/** Starts this process's command again in new namespaces. Everything in them ends with it. */
export function startIsolated(): ChildProcess {
  // A terminal sends Ctrl-C to the child too, which then ends in order.
  process.on('SIGINT', () => {})
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  return spawn('setpriv', ['--pdeathsig', 'KILL', '--', SCRIPT, ...command], {
    stdio: 'inherit',
    env: { ...process.env, [MARK]: ownNetwork() },
  })
}

/** Runs this process's own command again, in new namespaces. Returns its exit code. */
export async function runIsolated(): Promise<number> {
  const [code] = await once(startIsolated(), 'exit')
  return code ?? 1
}
