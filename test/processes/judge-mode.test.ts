import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chmod, chown, readdir, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findProcesses } from '../../packages/worker/test/support/processes.ts'
import { testUnless } from '../../packages/worker/test/support/requirements.ts'
import { missingSandbox } from '../../packages/worker/test/support/use-sandbox.ts'
import { findFreePorts, listen } from '../../tools/local-servers/free-ports.ts'
import { readProc, type Supervised } from '../../tools/local-servers/process-tree.ts'
import { openSubmitter, SOLUTION, type Submitter } from '../../tools/local-servers/submitter.ts'
import { type JudgeMode, SETTINGS, startJudgeMode, startServing } from '../support/judge-mode.ts'
import { copyEmbeddedDatabase, freshDatabaseVariables } from '../support/process-database.ts'
import { runScript } from '../support/run-script.ts'

const noSandbox = await missingSandbox('bubblewrap')
const testJudging = testUnless(noSandbox)
const testAsRoot = testUnless(noSandbox ?? (process.getuid?.() === 0 ? undefined : 'not root'))

/** Submits a program that runs until it is killed, and waits until it runs. */
async function submitSleeper({ submit }: Submitter): Promise<string> {
  const mark = `3${randomInt(1e9, 1e10)}`
  const id = await submit(`require('child_process').spawnSync('sleep', ['${mark}'])`)
  await expect.poll(() => findProcesses(mark).length).toBeGreaterThan(0)
  return id
}

describe('npm start -- --judge', () => {
  let judging: JudgeMode
  let submitter: Submitter
  beforeAll(async () => {
    if (noSandbox !== undefined) return
    // With a free port of its own, the port would change with a restart.
    const port = { PORT: String((await findFreePorts(1))[0]), PRIVATE_THING: 'not for the worker' }
    judging = await startJudgeMode({ ...(await freshDatabaseVariables()), ...port })
    submitter = await openSubmitter(judging.url)
  })

  const untilLogged = (text: string) =>
    expect.poll(() => judging.log.some((line) => line.includes(text))).toBe(true)

  /** Waits for this verdict, also while the service is down; it must be the only one. */
  async function expectJudged(id: string, status: string): Promise<void> {
    await expect.poll(() => submitter.readStatus(id).catch(() => 'no response')).toBe(status)
    const path = { params: { path: { submission_id: id } } }
    const { data } = await submitter.root.GET('/v1/submissions/{submission_id}/judgings', path)
    expect(data).toHaveLength(1)
  }

  testJudging('judges, and gives the worker no secret of the service', async () => {
    await expectJudged(await submitter.submit(SOLUTION), 'ACCEPTED')
    await expectJudged(await submitter.submit('console.log(41)'), 'WRONG_ANSWER')
    const environment = readProc(judging.find('worker') ?? 0, 'environ').split('\0')
    const names = environment.filter(Boolean).map((pair) => pair.split('=', 1)[0])
    // Node.js sets the two ends of the pipe (NODE_CHANNEL_…).
    expect(names.toSorted()).toEqual([
      ...['JUDGE_API_URL', 'JUDGE_PASSWORD', 'NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE'],
      ...['PATH', 'WORKER_CONCURRENCY', 'WORKER_NAME'],
    ])
  })

  testJudging('starts a killed worker again: each submission gets one verdict', async () => {
    const slow = await submitSleeper(submitter)
    const waiting = await submitter.submit(SOLUTION)
    const killed = judging.find('worker') ?? 0
    process.kill(killed, 'SIGKILL')
    await expectJudged(waiting, 'ACCEPTED')
    // Its wall limit ends the slow program.
    await expectJudged(slow, 'TIME_LIMIT_EXCEEDED')
    expect(judging.find('worker')).not.toBe(killed)
    // By its name it is the same worker.
    const { data } = await submitter.root.GET('/v1/judges')
    expect(data).toMatchObject([{ name: hostname(), connected: true }])
    await untilLogged('the worker has ended')
  })

  testJudging('kills a worker that hangs, and starts it again', async () => {
    await submitSleeper(submitter)
    const waiting = await submitter.submit(SOLUTION)
    process.kill(judging.find('worker') ?? 0, 'SIGSTOP')
    await expectJudged(waiting, 'ACCEPTED')
    await untilLogged('the worker does not respond')
  })

  testJudging(
    'starts a service that hangs or was killed again, and judges what it had accepted',
    async () => {
      for (const signal of ['SIGSTOP', 'SIGKILL'] as const) {
        const accepted = await Promise.all([1, 2, 3].map(() => submitter.submit(SOLUTION)))
        process.kill(judging.find('service') ?? 0, signal)
        if (signal === 'SIGSTOP') await untilLogged('the service does not respond')
        for (const id of accepted) await expectJudged(id, 'ACCEPTED')
      }
    },
  )

  testJudging('stops the worker first, also if npm passes a SIGINT on', async () => {
    const children = judging.listChildren()
    expect(children.length).toBeGreaterThanOrEqual(2)
    const before = judging.log.length
    process.kill(judging.pid, 'SIGINT')
    await untilLogged('stopping the worker')
    expect(await judging.end('SIGINT')).toBe(0)
    expect(children.filter((pid) => readProc(pid, 'cmdline') !== '')).toEqual([])
    const log = judging.log.slice(before)
    const workerEnd = log.findIndex((line) => line.includes('the judge worker has stopped'))
    expect(workerEnd).toBeGreaterThanOrEqual(0)
    expect(log.findIndex((line) => line.includes('"stopping"'))).toBeGreaterThan(workerEnd)
  })

  testJudging('leaves no process behind when the parent is killed', async () => {
    const killed = await startJudgeMode(await freshDatabaseVariables())
    await submitSleeper(await openSubmitter(killed.url))
    const children = killed.listChildren()
    await killed.end('SIGKILL')
    await expect.poll(() => children.filter((pid) => readProc(pid, 'cmdline') !== '')).toEqual([])
  })

  testAsRoot('as root runs the service as SERVICE_USER and the worker as root', async () => {
    const variables = await freshDatabaseVariables()
    const nobody = findNobody()
    await giveTo(nobody, variables.DATA_DIR)
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
    const args = ['create', '--name', 'Ada', '--email', 'ada@example.org']
    const created = await runScript('admin', { ...variables, SERVICE_USER: 'nobody' }, { args })
    expect(created).toMatchObject({ code: 0 })
    for (const file of await listFiles(variables.DATA_DIR)) expect((await stat(file)).uid, file).toBe(nobody)
  })

  testAsRoot('names a file of the embedded database that SERVICE_USER may not use', async () => {
    const DATA_DIR = await copyEmbeddedDatabase()
    await giveTo(findNobody(), DATA_DIR)
    const closed = join(DATA_DIR, 'database', 'global', 'pg_control')
    await chown(closed, 0, 0)
    await chmod(closed, 0o600)
    expect(await tryStart(['--judge'], { DATA_DIR, SERVICE_USER: 'nobody' })).toEqual({
      code: 1,
      errors: expect.stringContaining(`this user may not read and write ${closed}`),
    })
  })

  it.each([
    [['--judge', '--unsandboxed'], {}, /^The service cannot start\. --unsandboxed: programs would run .+$/],
    [['--allow-weak-isolation'], {}, /^The service cannot start\. --allow-weak-isolation: needs --judge$/],
    [['--fast'], {}, /^The service cannot start\. --fast: the arguments are --judge and .+$/],
    [['--supervised'], {}, /^The service cannot start\. --supervised: is only for .+$/],
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

  testJudging(
    'keeps the service without its worker, shows why nobody judges, and judges once it can',
    async () => {
      const taken = createServer()
      onTestFinished(() => void taken.close())
      const port = await listen(taken)
      const variables = { ...(await freshDatabaseVariables()), WORKER_METRICS_PORT: String(port) }
      const { url, log } = await startServing(variables)
      const { root, submit, readStatus } = await openSubmitter(url)
      const waiting = await submit(SOLUTION)
      const readJudges = async () => (await root.GET('/v1/judges')).data
      const failure = expect.stringContaining(`WORKER_METRICS_PORT: 127.0.0.1:${port} cannot be used`)
      const broken = { name: hostname(), connected: false, concurrency: 0, failure }
      await expect.poll(readJudges).toMatchObject([broken])
      const tries = () => log.filter((line) => line.includes('the worker has ended; it starts again'))
      await expect.poll(() => tries().length).toBeGreaterThan(2)
      expect(JSON.parse(tries()[0] ?? '')).toMatchObject({ level: 50, code: 1, failure })
      // A pause doubles; half of it is random.
      const pauses = tries().map((line) => JSON.parse(line).pauseMs)
      expect(pauses[2]).toBeGreaterThan(pauses[0])
      expect(await readStatus(waiting)).toBe('PENDING')
      taken.close()
      await expect.poll(() => readStatus(waiting)).toBe('ACCEPTED')
      const [judge] = (await readJudges()) ?? []
      expect(judge).toMatchObject({ name: hostname(), connected: true, concurrency: 1 })
      expect(judge).not.toHaveProperty('failure')
    },
  )
})

/** A folder and all files in it; none without a folder. */
async function listFiles(folder: string | undefined): Promise<string[]> {
  if (folder === undefined) return []
  const names = await readdir(folder, { recursive: true })
  return ['', ...names].map((name) => join(folder, name))
}

const findNobody = () => Number(execFileSync('id', ['-u', 'nobody']))

async function giveTo(user: number, folder: string | undefined): Promise<void> {
  for (const file of await listFiles(folder)) await chown(file, user, user)
}

/** Starts the service, which cannot start; resolves to its exit code and its messages. */
async function tryStart(args: readonly string[], variables: NodeJS.ProcessEnv) {
  const given = { HOST: '127.0.0.1', PORT: '0', ...SETTINGS, ...variables }
  const { code, errors } = await runScript('main', given, { args })
  return { code, errors: errors.trimEnd() }
}
