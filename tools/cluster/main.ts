import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCommand, readCommandLine, wholeNumber } from '../local-servers/command-line.ts'
import { listTree } from '../local-servers/process-tree.ts'
import { type Cluster, createCluster } from './cluster.ts'
import { ACTIONS, sendAction, serveActions } from './control.ts'
import { isIsolated, startIsolated } from './isolate.ts'
import { readPlaces } from './layout.ts'
import { findPrimary } from './operations.ts'

interface Options {
  readonly folder: string
  readonly port: number
}

const DESCRIPTION = `Starts a cluster of 15 machines on this one, each in namespaces of its own, with the files of
deploy/cluster. Ctrl-C switches all of them off. A start with the same folder goes on with their
data. Needs root.`

const NO_CLUSTER = 'no cluster runs (CLUSTER_FOLDER names its folder)'
const [, , first = '', ...rest] = process.argv
if (first === 'shell') process.exit(await openShell(rest))
if (ACTIONS[first] !== undefined) process.exit(await act(first, rest))
const options = readCommandLine(readOptions)
process.setMaxListeners(100)
if (isIsolated()) await runInside(options)
else process.exit(await runOutside(options))

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
function placesIn(folder: string) {
  return {
    /** The first process of the namespaces, as the machine itself counts it. */
    outside: join(folder, 'process'),
    /** The first process of each machine, as the namespaces count it. */
    machines: join(folder, 'machines.json'),
    socket: join(folder, 'proxy.sock'),
    control: join(folder, 'control.sock'),
  }
}

/** Runs the cluster in new namespaces, and serves its proxy on this machine. */
async function runOutside({ folder, port }: Options): Promise<number> {
  const places = placesIn(folder)
  await mkdir(folder, { recursive: true })
  const isolated = startIsolated()
  await once(isolated, 'spawn')
  const server = createServer((client) => {
    const inner = connect(places.socket)
    client.on('error', () => inner.destroy()).on('close', () => inner.destroy())
    inner.on('error', () => client.destroy()).on('close', () => client.destroy())
    client.pipe(inner).pipe(client)
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const timer = setInterval(() => {
    const pid = listTree(isolated.pid ?? 0)[1]?.pid
    if (pid === undefined) return
    clearInterval(timer)
    void writeFile(places.outside, String(pid))
  }, 50)
  const [code] = await once(isolated, 'exit')
  clearInterval(timer)
  server.close()
  await rm(places.outside, { force: true })
  return code ?? 1
}

async function runInside({ folder, port }: Options): Promise<void> {
  const places = placesIn(folder)
  const cluster = await createCluster({ folder, onStep: (step) => console.log(step) })
  process.once('SIGINT', () => void stop(cluster))
  await cluster.startAll()
  const [proxy] = cluster.ofRole('proxy')
  await rm(places.socket, { force: true })
  createServer((client) => {
    const inner = connect(80, proxy?.address)
    client.on('error', () => inner.destroy()).on('close', () => inner.destroy())
    inner.on('error', () => client.destroy()).on('close', () => client.destroy())
    client.pipe(inner).pipe(client)
  }).listen(places.socket)
  const writeProcesses = async () => {
    const running = cluster.machines.filter((machine) => machine.isOn())
    const processes = running.map(({ name, firstProcess }) => [name, firstProcess()])
    await writeFile(places.machines, JSON.stringify(Object.fromEntries(processes)))
  }
  await writeProcesses()
  await rm(places.control, { force: true })
  serveActions(places.control, cluster, writeProcesses)
  console.log(`
The cluster runs. The service:      http://127.0.0.1:${port}
The primary:                        ${(await findPrimary(cluster)).name}
The secrets:                        ${join(folder, 'secrets')}
A shell in a machine:               npm run cluster -- shell db1
The machines:                       ${cluster.machines.map(({ name }) => name).join(', ')}
Ctrl-C switches all machines off.`)
}

async function stop(cluster: Cluster): Promise<void> {
  console.log('switching all machines off')
  await cluster.powerOff()
  process.exit(0)
}

/** Does something to a machine of the running cluster. Returns the exit code. */
async function act(action: string, [machine = '']: readonly string[]): Promise<number> {
  const { control } = placesIn(defaultFolder())
  const failure = await sendAction(control, action, machine).catch((err: unknown) => `${NO_CLUSTER} (${err})`)
  if (failure !== '') console.error(failure)
  return failure === '' ? 0 : 1
}

/** Runs a command, or a shell, in a machine or beside them. Returns its exit code. */
async function openShell([name, ...command]: readonly string[]): Promise<number> {
  const places = placesIn(defaultFolder())
  if (!existsSync(places.outside) || !existsSync(places.machines)) {
    console.error(NO_CLUSTER)
    return 1
  }
  const enter = (pid: string) => ['nsenter', '--target', pid, '--all']
  const machines: Record<string, number> = JSON.parse(readFileSync(places.machines, 'utf8'))
  if (name !== undefined && machines[name] === undefined) {
    console.error(
      `no machine that is on is called ${name}: ${readPlaces()
        .map((place) => place.name)
        .join(', ')}`,
    )
    return 1
  }
  const [file = '', ...args] = [
    ...enter(readFileSync(places.outside, 'utf8')),
    ...(name === undefined ? [] : enter(String(machines[name]))),
    ...(command.length > 0 ? command : ['bash']),
  ]
  const [code] = await once(spawn(file, args, { stdio: 'inherit' }), 'exit')
  return code ?? 1
}
