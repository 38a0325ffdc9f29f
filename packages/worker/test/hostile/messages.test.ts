import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, vi } from 'vitest'
import { silentLogger } from '../../src/logger.ts'
import { openSandbox, type SandboxMode } from '../../src/sandbox/open-sandbox.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { testUnless } from '../support/requirements.ts'
import { missingSandbox } from '../support/sandboxes.ts'
import { waitFor } from '../support/wait.ts'
import type { HostileProgram } from './catalogue.ts'
import { findObstacle, judgeHostile, makeTask } from './judge-hostile.ts'
import { findProcessesWith, findTraces } from './traces.ts'

vi.setConfig({ testTimeout: 120_000 })

const program: HostileProgram = { file: 'messages.c', status: 'ACCEPTED' }
// Process names have at most 15 characters.
const NAME_OF_READY_PROCESS = 'hostile-message\n'
const obstacle = findObstacle(program)
const testIsolated = testUnless((await missingSandbox('bubblewrap')) ?? obstacle)
const testUnisolated = testUnless(obstacle)

let sandbox: Sandbox

function open(mode: SandboxMode): void {
  beforeEach(async () => {
    sandbox = await openSandbox({ mode, logger: silentLogger })
  })
  afterEach(() => sandbox.close())
}

async function judge(word: 'leave' | 'look') {
  return judgeHostile(program, await makeTask(program, sandbox, randomUUID()), word)
}

/** Starts a program that leaves its messages and stays; resolves once they are there, to a function that ends it. */
async function leaveAndStay(): Promise<() => Promise<void>> {
  const mark = randomUUID()
  const controller = new AbortController()
  const task = await makeTask(program, sandbox, mark)
  const judging = judgeHostile(program, { ...task, signal: controller.signal }, 'stay').then(
    (verdict) => verdict,
    (err: unknown) => err,
  )
  await waitFor('the messages', async () => (await findProcessesWith(mark)).some(isReady))
  return async () => {
    controller.abort(new Error('the messages were looked for'))
    expect(await judging).toMatchObject({ message: 'the messages were looked for' })
  }
}

function isReady(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8') === NAME_OF_READY_PROCESS
  } catch {
    // It has ended.
    return false
  }
}

describe('in the sandbox', () => {
  if (obstacle === undefined) open('bubblewrap')
  const found = { status: 'ACCEPTED', stdout: 'done\n' }

  testIsolated('a program finds no message of an earlier one, in the same slot and in another', async () => {
    expect(await judge('leave')).toMatchObject(found)
    expect(await Promise.all([judge('look'), judge('look')])).toMatchObject([found, found])
    expect(findTraces()).toEqual([])
  })

  testIsolated('a program finds no message of one that is still running', async () => {
    const end = await leaveAndStay()
    try {
      expect(await judge('look')).toMatchObject(found)
      expect(findTraces()).toEqual([])
    } finally {
      await end()
    }
  })
})

describe('without a sandbox, to show that the programs work', () => {
  if (obstacle === undefined) open('unsandboxed')

  testUnisolated('a program finds the messages of another, and the machine shows their traces', async () => {
    const end = await leaveAndStay()
    try {
      expect(findTraces()).toEqual(expect.arrayContaining(['/tmp/hostile-message', 'shm', 'sem', 'msg']))
      const { stdout } = await judge('look')
      for (const message of [
        '/tmp/',
        'shared memory',
        'semaphore',
        'message queue',
        'abstract socket',
        'port',
      ])
        expect(stdout).toContain(`GAINED ${message}`)
      expect(stdout).toContain('GAINED flock on /usr/bin/env')
      expect(stdout).toContain('GAINED lock on /usr/bin/env')
    } finally {
      await end()
    }
  })
})
