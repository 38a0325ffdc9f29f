import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, vi } from 'vitest'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { silentLogger } from '../../src/shared/logger.ts'
import type { Verdict } from '../../src/verdicts/verdict.ts'
import { testUnless } from '../support/requirements.ts'
import { listen } from '../support/unusable-servers.ts'
import { noBubblewrap, testIsolated } from '../support/use-sandbox.ts'
import {
  COMPLETE,
  catalogue,
  changeStart,
  findObstacle,
  type HostileProgram,
  judgeHostile,
  makeTask,
} from './catalogue.ts'
import { findBelongings, findProcessesWith, findTraces, HOSTILE_MARKS } from './traces.ts'

vi.setConfig({ maxConcurrency: 2 })

const seed = Number(process.env.HOSTILE_SEED ?? randomInt(1e9))
console.log(`Hostile programs run as user ${process.getuid?.()}, in the order of HOSTILE_SEED=${seed}.`)
if (noBubblewrap) console.warn(`The hostile programs are left out: ${noBubblewrap}.`)

let sandbox: Sandbox
let targets: Awaited<ReturnType<typeof openTargets>>
let atStart: readonly string[]

beforeAll(async () => {
  if (noBubblewrap !== undefined) return
  targets = await openTargets(randomUUID())
  sandbox = await openSandbox({ mode: 'bubblewrap', logger: silentLogger })
  atStart = findBelongings()
})
afterAll(async () => {
  await sandbox?.close()
  await targets?.close()
})

const plain = (program: HostileProgram) => (program.startsAtOnce ? changeStart(sandbox, false) : sandbox)
testAttacks('hostile programs, two at once', catalogue, plain)
// These end by themselves, so they take little time.
const quick = catalogue.filter(({ status, startsAtOnce }) => status === 'ACCEPTED' && !startsAtOnce)
testAttacks('hostile programs that wait in their sandboxes before they start', quick, () =>
  changeStart(sandbox, true),
)

function testAttacks(
  title: string,
  programs: readonly HostileProgram[],
  choose: (program: HostileProgram) => Sandbox,
): void {
  describe.concurrent(title, () => {
    for (const program of shuffle(programs, seed)) {
      const test = testUnless(noBubblewrap ?? findObstacle(program))
      test(`${describeProgram(program)} gains nothing and leaves nothing behind`, () =>
        expectDefence(program, choose(program)))
    }
  })
}

async function expectDefence(program: HostileProgram, ofProgram: Sandbox): Promise<void> {
  const mark = randomUUID()
  const verdict = await judgeHostile(program, await makeTask(program, ofProgram, mark), targets.input)
  expect([program.status].flat(), show(verdict)).toContain(verdict.status)
  expectNoGain(program, verdict)
  expect(await findProcessesWith(mark), 'processes').toEqual([])
  expect(findTraces(HOSTILE_MARKS)).toEqual([])
}

describe('after all hostile programs', () => {
  testIsolated('the judge has no new process, control group, file or mount', async () => {
    await expect.poll(() => findBelongings().filter((item) => !atStart.includes(item))).toEqual([])
  })

  testIsolated('no program has connected to the judge', async () => {
    expect(targets.countConnections()).toBe(0)
  })

  testIsolated('an honest program is still accepted', async () => {
    const file = 'streams-by-path.py'
    const honest: HostileProgram = { file, status: 'ACCEPTED', inputs: ['a\n'], output: 'a\n' }
    const verdict = await judgeHostile(honest, await makeTask(honest, sandbox, randomUUID()), '')
    expect(verdict, show(verdict)).toMatchObject({ status: 'ACCEPTED', stderr: 'to stderr by name\n' })
  })
})

function describeProgram({ file, inputs = [] }: HostileProgram): string {
  return inputs.length === 1 ? `${file} (${inputs[0]?.trim()})` : file
}

function expectNoGain({ status, output = COMPLETE }: HostileProgram, verdict: Verdict): void {
  const text = JSON.stringify(verdict)
  expect(text).not.toContain('GAINED')
  expect(text).not.toContain(targets.secret)
  expect(text).not.toContain('root:')
  // A program that ends normally must have tried everything.
  if (verdict.status === 'ACCEPTED' || status === 'RUNTIME_ERROR') expect(verdict.stdout).toBe(output)
}

function show({ stdout, stderr }: Verdict): string {
  return `\nstdout: ${stdout?.slice(0, 2000)}\nstderr: ${stderr?.slice(0, 2000)}\n`
}

/** Shuffles by Fisher and Yates, with the random numbers of Park and Miller. */
function shuffle<T>(items: readonly T[], start: number): T[] {
  const shuffled = [...items]
  let state = (start % 2147483646) + 1
  for (let index = shuffled.length - 1; index > 0; index -= 1) {
    state = (state * 48271) % 2147483647
    const [item] = shuffled.splice(state % (index + 1), 1)
    if (item !== undefined) shuffled.push(item)
  }
  return shuffled
}

const VARIABLE = 'JUDGE_HOSTILE_SECRET'

/** Opens sockets, writes a secret file and sets a secret variable: programs try to reach them. */
async function openTargets(mark: string) {
  const secret = `secret-${mark}`
  const folder = await mkdtemp(join(tmpdir(), 'judge-secret-'))
  const file = join(folder, 'secret')
  await writeFile(file, secret, { mode: 0o644 })
  process.env[VARIABLE] = secret
  const onConnection = vi.fn()
  const [tcp, abstract] = [createServer(onConnection), createServer(onConnection)]
  const port = await listen(tcp)
  await once(abstract.listen({ path: `\0judge-${mark}` }), 'listening')
  return {
    /** An input for programs: the TCP port, abstract socket, process id and secret file. */
    input: `${port} judge-${mark} ${process.pid} ${file}\n`,
    secret,
    countConnections: () => onConnection.mock.calls.length,
    async close() {
      delete process.env[VARIABLE]
      await Promise.all([tcp, abstract].map((server) => once(server.close(), 'close')))
      await rm(folder, { recursive: true })
    },
  }
}
