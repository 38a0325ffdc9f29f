import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect } from 'vitest'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { readOr } from '../support/processes.ts'
import { missing, testUnless } from '../support/requirements.ts'
import { MIB, noBubblewrap, useSandbox } from '../support/use-sandbox.ts'
import { waitFor } from '../support/wait.ts'
import { findObstacle, type HostileProgram, judgeHostile, makeTask, readProgram } from './catalogue.ts'
import { findBelongings, findProcessesWith, findTraces, HOSTILE_MARKS, type Marks } from './traces.ts'

const program: HostileProgram = { file: 'messages.c', status: 'ACCEPTED' }
const NAME_OF_READY_PROCESS = 'messages-left\n'
const obstacle = findObstacle(program)
const testIsolated = testUnless(noBubblewrap ?? obstacle)
const testUnisolated = testUnless(obstacle)

async function judge(sandbox: Sandbox, word: 'leave' | 'look', marks: Marks) {
  const task = await makeTask(program, sandbox, randomUUID())
  return judgeHostile(program, task, describeMessages(word, marks))
}

/** Starts a program that leaves messages and keeps running. Resolves to a function that ends it. */
async function leaveAndStay(sandbox: Sandbox, marks: Marks): Promise<() => Promise<void>> {
  const mark = randomUUID()
  const controller = new AbortController()
  const task = await makeTask(program, sandbox, mark)
  const stay = describeMessages('stay', marks)
  const judging = judgeHostile(program, { ...task, signal: controller.signal }, stay).catch(
    (err: unknown) => err,
  )
  await waitFor('the messages', async () => (await findProcessesWith(mark)).some(isReady))
  return async () => {
    controller.abort(new Error('the messages were looked for'))
    expect(await judging).toMatchObject({ message: 'the messages were looked for' })
  }
}

function describeMessages(word: string, { prefix, systemVKey, lockedFile }: Marks): string {
  return `${word} ${prefix}message ${systemVKey} ${lockedFile}`
}

const isReady = (pid: number) =>
  readOr(() => readFileSync(`/proc/${pid}/comm`, 'utf8'), '') === NAME_OF_READY_PROCESS

describe('in the sandbox', () => {
  const setup = useSandbox({ mode: 'bubblewrap' }, noBubblewrap ?? obstacle)
  const marks = HOSTILE_MARKS
  const found = { status: 'ACCEPTED', stdout: 'done\n' }

  testIsolated('a program finds no message of an earlier one, in the same slot and in another', async () => {
    expect(await judge(setup.sandbox, 'leave', marks)).toMatchObject(found)
    const look = () => judge(setup.sandbox, 'look', marks)
    expect(await Promise.all([look(), look()])).toMatchObject([found, found])
    expect(findTraces(marks)).toEqual([])
  })

  testIsolated('a program finds no message of a running program', async () => {
    const end = await leaveAndStay(setup.sandbox, marks)
    try {
      expect(await judge(setup.sandbox, 'look', marks)).toMatchObject(found)
      expect(findTraces(marks)).toEqual([])
    } finally {
      await end()
    }
  })
})

describe('without a sandbox, as a check of the programs', () => {
  const setup = useSandbox({ mode: 'unsandboxed' }, obstacle)

  // Different from the hostile programs' marks, which other tests search for.
  const marks = { prefix: `control-${process.pid}-`, systemVKey: process.pid, lockedFile: '/usr/bin/id' }

  testUnisolated('a program finds the messages of another one, and the machine shows traces', async () => {
    const end = await leaveAndStay(setup.sandbox, marks)
    try {
      expect(findTraces(marks)).toEqual(
        expect.arrayContaining([`/tmp/${marks.prefix}message`, 'shm', 'sem', 'msg']),
      )
      const { stdout } = await judge(setup.sandbox, 'look', marks)
      const objects = ['/tmp/', 'shared memory', 'semaphore', 'message queue', 'abstract socket', 'port']
      for (const message of [...objects, 'flock', 'lock']) expect(stdout).toContain(`GAINED ${message}`)
    } finally {
      await end()
    }
  })
})

const PROGRAM = 'fill-folder.pl'
const limits = { memoryBytes: 1024 * MIB, fileBytes: 256 * MIB, processes: 64 }
const testFolder = testUnless(noBubblewrap ?? missing('/usr/bin/perl'))

const opened = useSandbox({ mode: 'bubblewrap' }, noBubblewrap)
let atStart: readonly string[]
beforeAll(() => {
  atStart = findBelongings()
})

const attacks = {
  bytes: 'more bytes than its limit',
  files: 'more files than its limit',
  nested: 'folders nested deeper than the longest path',
  closed: 'folders without permissions',
}

for (const [kind, description] of Object.entries(attacks)) {
  testFolder(`a program folder takes ${description}, and is removed`, async () => {
    const { sandbox, run } = opened
    const folder = await sandbox.createFolder()
    await writeFile(join(folder, 'main.pl'), await readProgram(PROGRAM))
    const argv: [string, ...string[]] = ['/usr/bin/perl', '/app/main.pl', kind]
    const result = await run(argv, limits, { folder, writable: true })
    expect([result.stdout.toString(), result.exceeded]).toEqual(['done\n', undefined])
    await sandbox.removeFolder(folder)
    await expect.poll(() => existsSync(folder)).toBe(false)
    await expect.poll(() => findBelongings().filter((item) => !atStart.includes(item))).toEqual([])
  })
}
