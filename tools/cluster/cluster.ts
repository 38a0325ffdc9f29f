import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pollUntil } from '../local-servers/polling.ts'
import { createMachine, type Machine, type Program } from './machine.ts'
import { createNetwork } from './network.ts'
import { deployFolder, type Role, readPlaces } from './places.ts'
import { isReady, programs } from './roles.ts'

/** The machines of a cluster, with the secrets that they share. */
export type Cluster = Awaited<ReturnType<typeof createCluster>>

export interface ClusterOptions {
  /** Keeps the disks of the machines, their output and the secrets. */
  readonly folder: string
  /** Makes other programs for some roles. */
  readonly programs?: (secrets: Secrets) => Partial<Record<Role, Program>>
  readonly onStep?: (text: string) => void
}

/** The secrets of `make-secrets.sh`, by name. */
export type Secrets = Readonly<Record<string, string>>

const READY_WITHIN_MS = 120_000
const POLL_MS = 200
/** Machines of the second step need those of the first. */
const STEPS: readonly (readonly Role[])[] = [
  ['etcd', 'queue'],
  ['database'],
  // Each may need the other: HAProxy also leads to the primary.
  ['service', 'proxy'],
  ['worker'],
]

/** Describes the machines, which are off, and makes their network. Needs its own namespaces. */
export async function createCluster({ folder, programs: given, onStep = () => {} }: ClusterOptions) {
  await mkdir(folder, { recursive: true })
  const secretsFolder = join(folder, 'secrets')
  if (!existsSync(secretsFolder))
    await promisify(execFile)(join(deployFolder, 'make-secrets.sh'), [secretsFolder])
  const secrets = await readSecrets(secretsFolder)
  const hostsFile = join(folder, 'hosts')
  await writeFile(
    hostsFile,
    `127.0.0.1 localhost\n${await readFile(join(deployFolder, 'files/hosts'), 'utf8')}`,
  )
  await createNetwork(hostsFile)
  const machines = readPlaces().map((place) => createMachine(place, join(folder, place.name)))
  const ofRole = (role: Role) => machines.filter((machine) => machine.role === role)
  const allPrograms = { ...programs, ...given?.(secrets) }

  /** Switches a machine on, installs its configuration, and starts its program. */
  const start = async (machine: Machine) => {
    if (!machine.isOn()) await machine.powerOn()
    const secretsFile = join(secretsFolder, `${machine.role}.env`)
    const files = existsSync(secretsFile) ? [secretsFile] : []
    await machine.run(join(deployFolder, 'install.sh'), machine.role, machine.name, ...files)
    return machine.start(allPrograms[machine.role])
  }
  return {
    folder,
    secrets,
    machines,
    ofRole,
    find: (name: string) => {
      const machine = machines.find((one) => one.name === name)
      if (machine === undefined) throw new Error(`no machine is called ${name}`)
      return machine
    },
    start,
    /** Starts all machines, and waits until each does its work. */
    startAll: async () => {
      for (const roles of STEPS) {
        const step = roles.flatMap(ofRole)
        onStep(`starting ${step.map(({ name }) => name).join(', ')}`)
        await Promise.all(step.map(start))
        await waitUntilReady(step, READY_WITHIN_MS)
      }
    },
    powerOff: () => Promise.all(machines.map((machine) => machine.powerOff())),
  }
}

async function readSecrets(folder: string): Promise<Secrets> {
  const texts = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')))
  const lines = texts.join('\n').matchAll(/^(\w+)=(.*)$/gm)
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]))
}

/** Waits until each machine does its work. Throws the names of those that do not in time. */
export async function waitUntilReady(machines: readonly Machine[], withinMs: number): Promise<void> {
  let left = machines
  const areReady = async () => {
    const answers = await Promise.all(
      left.map(async (machine) => ((await isReady(machine)) ? [] : [machine])),
    )
    left = answers.flat()
    return left.length === 0
  }
  if (!(await pollUntil(areReady, withinMs, POLL_MS)))
    throw new Error(`not ready after ${withinMs / 1000} s: ${left.map(({ name }) => name).join(', ')}`)
}
