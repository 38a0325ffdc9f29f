import { execFile, execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, readdir, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { JudgeClient } from '@judge-data-layer/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findProcesses } from '../../packages/worker/test/support/processes.ts'
import { testUnless } from '../../packages/worker/test/support/requirements.ts'
import { missingSandbox } from '../../packages/worker/test/support/sandboxes.ts'
import { findFreePorts } from '../../tools/local-servers/free-ports.ts'
import { openSubmitter, SOLUTION } from '../../tools/local-servers/submitter.ts'
import type { Supervised } from '../../tools/local-servers/supervised.ts'
import { databaseKind } from '../support/database.ts'
import { readProc, SETTINGS, startJudgeMode, startServing } from '../support/judge-mode.ts'
import { freshDatabaseVariables } from '../support/process-database.ts'

const main = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url))
const admin = fileURLToPath(new URL('../../dist/src/admin.js', import.meta.url))
const noSandbox = await missingSandbox('bubblewrap')
const testJudging = testUnless(noSandbox)
const testEmbedded = it.runIf(databaseKind === 'pglite' && process.getuid?.() === 0)
const testAsRoot = testUnless(noSandbox ?? (process.getuid?.() === 0 ? undefined : 'not root'))

/** A program that runs until it is killed; `mark` finds it among the processes. */
function sleepForEver() {
  const mark = `3${randomInt(1e9, 1e10)}`
  return { mark, program: `require('child_process').spawnSync('sleep', ['${mark}'])` }
}

describe('npm start -- --judge', () => {
  testJudging('judges, gives the worker no secret of the service, and stops the worker first', async () => {
    const variables = { ...(await freshDatabaseVariables()), PRIVATE_THING: 'not for the worker' }
    const judging = await startJudgeMode(variables)
    const { submit, readStatus } = await openSubmitter(judging.url)
    const right = await submit(SOLUTION)
    const wrong = await submit('console.log(41)')
    await expect.poll(() => readStatus(right)).toBe('ACCEPTED')
    await expect.poll(() => readStatus(wrong)).toBe('WRONG_ANSWER')

    const environment = readProc(judging.find('worker') ?? 0, 'environ')
      .split('\0')
      .filter(Boolean)
    expect(environment.map((pair) => pair.split('=', 1)[0]).toSorted()).toEqual([
      'JUDGE_API_URL',
      'JUDGE_PASSWORD',
      // The two ends of the pipe: Node.js sets them.
      'NODE_CHANNEL_FD',
      'NODE_CHANNEL_SERIALIZATION_MODE',
      'PATH',
      'WORKER_CONCURRENCY',
      'WORKER_NAME',
    ])

    const children = judging.listChildren()
    expect(children.length).toBeGreaterThanOrEqual(2)
    // Like npm, which passes the SIGINT of a terminal on.
    process.kill(judging.pid, 'SIGINT')
    await expect.poll(() => judging.log.some((line) => line.includes('stopping the worker'))).toBe(true)
    expect(await judging.end('SIGINT')).toBe(0)
    expect(children.filter((pid) => readProc(pid, 'cmdline') !== '')).toEqual([])
    const workerEnd = judging.log.findIndex((line) => line.includes('the judge worker has stopped'))
    const serviceEnd = judging.log.findIndex((line) => line.includes('"stopping"'))
    expect(workerEnd).toBeGreaterThan(0)
    expect(serviceEnd).toBeGreaterThan(workerEnd)
  })

  testJudging('starts a killed worker again: each submission gets one verdict', async () => {
    const judging = await startJudgeMode(await freshDatabaseVariables())
    const { root, submit, readStatus } = await openSubmitter(judging.url)
    const { mark, program } = sleepForEver()
    const slow = await submit(program)
    const waiting = await submit(SOLUTION)
    await expect.poll(() => findProcesses(mark).length).toBeGreaterThan(0)
    const killed = judging.find('worker') ?? 0
    process.kill(killed, 'SIGKILL')
    await expect.poll(() => readStatus(waiting)).toBe('ACCEPTED')
    // Its wall limit ends the slow program.
    await expect.poll(() => readStatus(slow)).toBe('TIME_LIMIT_EXCEEDED')
    expect(judging.find('worker')).not.toBe(killed)
    for (const id of [slow, waiting]) expect(await countJudgings(root, id)).toBe(1)
    // By its name it is the same worker.
    const { data } = await root.GET('/v1/judges')
    expect(data?.map(({ name, connected }) => ({ name, connected }))).toEqual([
      { name: hostname(), connected: true },
    ])
    expect(judging.log.some((line) => line.includes('the worker has ended'))).toBe(true)
  })

  testJudging('kills a worker that hangs, and starts it again', async () => {
    const judging = await startJudgeMode(await freshDatabaseVariables())
    const { root, submit, readStatus } = await openSubmitter(judging.url)
    const { mark, program } = sleepForEver()
    await submit(program)
    const waiting = await submit(SOLUTION)
    await expect.poll(() => findProcesses(mark).length).toBeGreaterThan(0)
    process.kill(judging.find('worker') ?? 0, 'SIGSTOP')
    await expect.poll(() => readStatus(waiting)).toBe('ACCEPTED')
    expect(await countJudgings(root, waiting)).toBe(1)
    expect(judging.log.some((line) => line.includes('the worker does not respond'))).toBe(true)
  })

  testJudging('kills a service that hangs, and starts it again', async () => {
    const port = { PORT: String((await findFreePorts(1))[0]) }
    const judging = await startJudgeMode({ ...(await freshDatabaseVariables()), ...port })
    const { submit, readStatus } = await openSubmitter(judging.url)
    const id = await submit(SOLUTION)
    process.kill(judging.find('service') ?? 0, 'SIGSTOP')
    const hasNoticed = () => judging.log.some((line) => line.includes('the service does not respond'))
    await expect.poll(hasNoticed).toBe(true)
    await expect.poll(() => readStatus(id).catch(() => 'no response')).toBe('ACCEPTED')
  })

  testJudging('starts a killed service again, and judges what it had accepted', async () => {
    // A free port of its own would change with the restart.
    const port = { PORT: String((await findFreePorts(1))[0]) }
    const judging = await startJudgeMode({ ...(await freshDatabaseVariables()), ...port })
    const { root, submit, readStatus } = await openSubmitter(judging.url)
    const accepted = await Promise.all(Array.from({ length: 4 }, () => submit(SOLUTION)))
    process.kill(judging.find('service') ?? 0, 'SIGKILL')
    for (const id of accepted) {
      const read = () => readStatus(id).catch(() => 'no response')
      await expect.poll(read).toBe('ACCEPTED')
      expect(await countJudgings(root, id)).toBe(1)
    }
  })

  testJudging('leaves no process behind when the parent is killed', async () => {
    const judging = await startJudgeMode(await freshDatabaseVariables())
    const { submit } = await openSubmitter(judging.url)
    const { mark, program } = sleepForEver()
    await submit(program)
    await expect.poll(() => findProcesses(mark).length).toBeGreaterThan(0)
    const children = judging.listChildren()
    await judging.end('SIGKILL')
    const alive = () => children.filter((pid) => readProc(pid, 'cmdline') !== '')
    await expect.poll(alive).toEqual([])
  })

  testAsRoot('as root runs the service as SERVICE_USER and the worker as root', async () => {
    const variables = await freshDatabaseVariables()
    const nobody = Number(execFileSync('id', ['-u', 'nobody']))
    for (const file of await listFiles(variables.DATA_DIR)) await chown(file, nobody, nobody)
    const judging = await startJudgeMode({ ...variables, SERVICE_USER: 'nobody' })
    const userOf = (of: Supervised) =>
      /^Uid:\s+(\d+)\s+(\d+)/m.exec(readProc(judging.find(of) ?? 0, 'status'))?.slice(1)
    expect(userOf('service')).toEqual([String(nobody), String(nobody)])
    expect(/^Groups:\s*$/m.test(readProc(judging.find('service') ?? 0, 'status'))).toBe(true)
    expect(userOf('worker')).toEqual(['0', '0'])
    const { submit, readStatus } = await openSubmitter(judging.url)
    const id = await submit(SOLUTION)
    await expect.poll(() => readStatus(id)).toBe('ACCEPTED')

    expect(await judging.end('SIGTERM')).toBe(0)
    const env = { PATH: process.env.PATH, ...variables, SERVICE_USER: 'nobody' }
    const ada = ['create', '--name', 'Ada', '--email', 'ada@example.org']
    await promisify(execFile)(process.execPath, [admin, ...ada], { env })
    for (const file of await listFiles(variables.DATA_DIR)) expect((await stat(file)).uid, file).toBe(nobody)
  })

  testEmbedded('names a file of the database that SERVICE_USER may not use', async () => {
    const { DATA_DIR = '' } = await freshDatabaseVariables()
    const nobody = Number(execFileSync('id', ['-u', 'nobody']))
    for (const file of await listFiles(DATA_DIR)) await chown(file, nobody, nobody)
    const closed = join(DATA_DIR, 'database', 'global', 'pg_control')
    await chown(closed, 0, 0)
    await chmod(closed, 0o600)
    expect(await tryStart(['--judge'], { DATA_DIR, SERVICE_USER: 'nobody' })).toEqual({
      code: 1,
      errors: expect.stringContaining(`this user may not read and write ${closed}`),
    })
  })

  it.each([
    [['--judge', '--unsandboxed'], {}, /^The service cannot start\. --unsandboxed: .+$/],
    [['--allow-weak-isolation'], {}, /^The service cannot start\. --allow-weak-isolation: needs --judge$/],
    [['--supervised'], {}, /^The service cannot start\. --supervised: is only for .+$/],
    [['--fast'], {}, /^The service cannot start\. --fast: the arguments are --judge and .+$/],
    [['--judge'], { AMQP_URL: 'amqp://mq' }, /^The service cannot start\. AMQP_URL: must be unset .+$/],
    [['--judge'], { SERVICE_USER: 'no one at all' }, /^The service cannot start\. SERVICE_USER: .+$/],
    [
      ['--judge'],
      { JWT_SIGNING_SECRET: '', JWT_SIGNING_SECRET_FILE: '/nowhere' },
      /^The configuration is not usable:\n {2}- JWT_SIGNING_SECRET_FILE must be .+\(ENOENT\)$/,
    ],
    [['--judge'], { PORT: 'many' }, /^The configuration is not usable:\n {2}- PORT must be .+$/],
  ])('refuses %j with %j in one message', async (args, variables, message) => {
    expect(await tryStart(args, variables)).toEqual({ code: 1, errors: expect.stringMatching(message) })
  })

  it('keeps the service without its worker, and shows why nobody judges', async () => {
    const wrong = { ...(await freshDatabaseVariables()), WORKER_CONCURRENCY: 'many' }
    const judging = await startServing(wrong)
    const { root, submit, readStatus } = await openSubmitter(judging.url)
    const failure = expect.stringContaining('WORKER_CONCURRENCY must be')
    await expect
      .poll(async () => (await root.GET('/v1/judges')).data)
      .toMatchObject([{ name: hostname(), connected: false, concurrency: 0, failure }])
    const tries = () => judging.log.filter((line) => line.includes('the worker has ended; it starts again'))
    await expect.poll(() => tries().length).toBeGreaterThan(2)
    expect(JSON.parse(tries()[0] ?? '')).toMatchObject({ level: 50, code: 1, failure })
    // A pause doubles; half of it is random.
    const pauses = tries().map((line) => JSON.parse(line).pauseMs)
    expect(pauses[2]).toBeGreaterThan(pauses[0])
    expect(await readStatus(await submit(SOLUTION))).toBe('PENDING')
    expect(await judging.end('SIGTERM')).toBe(0)
  })

  testJudging('judges once the worker can start, and then shows no failure', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    onTestFinished(() => void taken.close())
    const { port } = taken.address() as AddressInfo
    const variables = { ...(await freshDatabaseVariables()), WORKER_METRICS_PORT: String(port) }
    const judging = await startServing(variables)
    const { root, submit, readStatus } = await openSubmitter(judging.url)
    const waiting = await submit(SOLUTION)
    const readJudges = async () => (await root.GET('/v1/judges')).data
    await expect.poll(readJudges).toMatchObject([
      {
        failure: expect.stringContaining(`: WORKER_METRICS_PORT: 127.0.0.1:${port} cannot be used`),
      },
    ])
    taken.close()
    await expect.poll(() => readStatus(waiting)).toBe('ACCEPTED')
    const [judge] = (await readJudges()) ?? []
    expect(judge).toMatchObject({ name: hostname(), connected: true, concurrency: 1 })
    expect(judge).not.toHaveProperty('failure')
  })
})

/** A folder and all files in it; none without a folder. */
async function listFiles(folder: string | undefined): Promise<string[]> {
  if (folder === undefined) return []
  const names = await readdir(folder, { recursive: true })
  return ['', ...names].map((name) => join(folder, name))
}

/** Counts the verdicts that a submission has got. */
async function countJudgings(root: JudgeClient, submission_id: string): Promise<number | undefined> {
  const path = { params: { path: { submission_id } } }
  return (await root.GET('/v1/submissions/{submission_id}/judgings', path)).data?.length
}

/** Starts the service, which cannot start; resolves to its exit code and its messages. */
async function tryStart(args: readonly string[], variables: NodeJS.ProcessEnv) {
  const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', ...SETTINGS, ...variables }
  const end = await promisify(execFile)(process.execPath, [main, ...args], { env }).catch((err) => err)
  const { code = 0, stderr = '' }: { code?: number; stderr: string } = end
  return { code, errors: stderr.trimEnd() }
}
