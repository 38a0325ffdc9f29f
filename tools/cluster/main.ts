import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockDirectory } from '../../src/db/directory-lock.ts'
import { createCommand, readCommandLine, wholeNumber } from '../local-servers/command-line.ts'
import { listTree } from '../local-servers/process-tree.ts'
import { createCluster } from './cluster.ts'
import { ACTIONS, findProcess, sendAction, serveActions } from './control.ts'
import { isIsolated, startIsolated } from './isolate.ts'
import { findPrimary } from './operations.ts'

interface Options {
  readonly folder: string
  readonly port: number
}

const DESCRIPTION = `Starts a cluster of 15 machines on this one, each in namespaces of its own, with the files of
deploy/cluster. Ctrl-C switches all of them off. A start with the same folder goes on with their
data. Needs root.`

const [, , first = '', ...rest] = process.argv
if (first === 'shell') process.exit(await openShell(rest))
if (ACTIONS[first] !== undefined) process.exit(await act(first, rest))
const options = readCommandLine(readOptions)
process.setMaxListeners(100)
if (isIsolated()) await runInside(options)
else process.exit(await tryTo(() => runOutside(options)))

function readOptions(args: readonly string[]): Options {
  return createCommand('cluster', DESCRIPTION)
    .option('--folder <FOLDER>', 'the disks of the machines', defaultFolder())
    .option('--port <N>', 'port of the cluster on 127.0.0.1', wholeNumber(1, 65_535), 8080)
    .addHelpText(
      'after',
      `
While a cluster runs:
  npm run cluster -- shell [MACHINE [COMMAND...]]   runs a command, or a shell, in a machine
${Object.entries(ACTIONS)
  .map(([action, { meaning }]) => `  npm run cluster -- ${`${action} MACHINE`.padEnd(31)}${meaning}`)
  .join('\n')}`,
    )
    .parse(args, { from: 'user' })
    .opts<Options>()
}

function defaultFolder(): string {
  return process.env.CLUSTER_FOLDER || join(tmpdir(), 'judge-cluster')
}

/** Where the parts of a running cluster find each other. */
function socketsIn(folder: string) {
  return {
    /** The number of the first process of the namespaces, as the computer counts it. */
    outerProcess: join(folder, 'process'),
    proxy: join(folder, 'proxy.sock'),
    control: join(folder, 'control.sock'),
  }
}

/** Runs the cluster in new namespaces, and serves its proxy on this computer. */
async function runOutside({ folder, port }: Options): Promise<number> {
  const files = socketsIn(folder)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Others could put their own secrets into it.
  if ((await stat(folder)).uid !== process.getuid?.()) throw new Error(`${folder} belongs to another user`)
  const unlock = await lockDirectory(folder)
  await Promise.all(Object.values(files).map((file) => rm(file, { force: true })))
  const server = servePort(() => connect(files.proxy)).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const isolated = startIsolated()
  let isEnding = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      isEnding = true
      isolated.kill('SIGKILL')
    })
  const timer = setInterval(() => {
    const pid = listTree(isolated.pid ?? 0)[1]?.pid
    if (pid === undefined) return
    clearInterval(timer)
    void writeFile(files.outerProcess, String(pid))
  }, 50)
  const [code] = await once(isolated, 'exit')
  clearInterval(timer)
  server.close()
  await rm(files.outerProcess, { force: true })
  await unlock()
  if (isEnding) console.log('all machines are off')
  return isEnding ? 0 : (code ?? 1)
}

function servePort(open: () => Socket): Server {
  return createServer((client) => {
    const inner = open()
    client.on('error', () => inner.destroy()).on('close', () => inner.destroy())
    inner.on('error', () => client.destroy()).on('close', () => client.destroy())
    client.pipe(inner).pipe(client)
  })
}

async function runInside({ folder, port }: Options): Promise<void> {
  const files = socketsIn(folder)
  const cluster = await createCluster({ folder, onStep: (step) => console.log(step) })
  await cluster.startAll()
  const [proxy] = cluster.ofRole('proxy')
  servePort(() => connect(80, proxy?.address)).listen(files.proxy)
  serveActions(files.control, cluster)
  const variable = folder === defaultFolder() ? '' : `CLUSTER_FOLDER=${folder} `
  console.log(`
The cluster runs. The service:      http://127.0.0.1:${port}
The primary:                        ${(await findPrimary(cluster)).name}
The secrets:                        ${join(folder, 'secrets')}
A shell in a machine:               ${variable}npm run cluster -- shell db1
The machines:                       ${cluster.machines.map(({ name }) => name).join(', ')}
Ctrl-C switches all machines off.`)
}

/** Does something to a machine of the running cluster. Returns the exit code. */
async function act(action: string, [machine = '']: readonly string[]): Promise<number> {
  return tryTo(async () => {
    await sendAction(socketsIn(defaultFolder()).control, action, machine)
    return 0
  })
}

/** Runs a command, or a shell, in a machine or beside them. Returns its exit code. */
async function openShell([name, ...command]: readonly string[]): Promise<number> {
  return tryTo(async () => {
    const files = socketsIn(defaultFolder())
    const enter = (pid: number) => ['nsenter', '--target', String(pid), '--all', `--wd=${process.cwd()}`]
    // Only a running cluster answers: the number of its process may be that of another one later.
    const machine = await findProcess(files.control, name ?? 'proxy')
    const [file = '', ...args] = [
      ...enter(Number(await readFile(files.outerProcess, 'utf8'))),
      ...(name === undefined ? [] : enter(machine)),
      ...(command.length > 0 ? command : ['bash']),
    ]
    const [code] = await once(spawn(file, args, { stdio: 'inherit' }), 'exit')
    return code ?? 1
  })
}

async function tryTo(work: () => Promise<number>): Promise<number> {
  try {
    return await work()
  } catch (err) {
    console.error(err instanceof Error ? err.message : err)
    return 1
  }
}
