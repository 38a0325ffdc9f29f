import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultLanguagesFile, readLanguages } from '@judge-data-layer/languages'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createJsonLogger } from '../src/logger.ts'
import { startWorker, type Worker, type WorkerOptions } from '../src/worker.ts'
import { ATTEMPT, type JudgeService, startJudgeService } from './support/judge-service.ts'
import { findLeftBehind } from './support/left-behind.ts'
import { createListSource } from './support/list-source.ts'
import { testUnless } from './support/requirements.ts'
import { missingSandbox } from './support/sandboxes.ts'
import { waitFor } from './support/wait.ts'

const PASSWORD = 'password-of-the-judge'
const languages = await readLanguages(defaultLanguagesFile)
const noBubblewrap = await missingSandbox('bubblewrap')
const tests = [
  { input: '1', expected_output: '2' },
  { input: '2', expected_output: '4', hidden: true },
]
const right = {
  language: 'JavaScript',
  source_code: `console.log(2 * require('fs').readFileSync(0, 'utf8'))`,
  tests,
}

let service: JudgeService
let list: ReturnType<typeof createListSource>
let worker: Worker | undefined
let logged: string

beforeEach(async () => {
  service = await startJudgeService(PASSWORD)
  list = createListSource()
  logged = ''
})
afterEach(async () => {
  await worker?.stop()
  worker = undefined
  await service.close()
})

async function start(changes: Partial<WorkerOptions> = {}) {
  const logger = createJsonLogger((line) => {
    logged += line
  })
  const base = { apiUrl: service.url, judgePassword: PASSWORD, concurrency: 1 }
  worker = await startWorker({
    ...base,
    source: list.source,
    languages,
    sandbox: 'unsandboxed',
    logger,
    ...changes,
  })
  return worker
}

async function judge(id: string, type: 'submission' | 'input' = 'submission') {
  await start()
  list.put({ type, id })
  await waitFor('the message to be done with', () => list.isIdle)
}

/** The temporary folders of this process's workers. */
async function listOwnFolders(): Promise<string[]> {
  const names = await readdir(tmpdir())
  return names
    .filter((name) => name.startsWith('judge-worker-') && name.includes(`-${process.pid}-`))
    .map((name) => join(tmpdir(), name))
}

/** The files of the test cases that the worker keeps. */
async function listKeptTests(): Promise<string[]> {
  const found: string[] = []
  for (const folder of await listOwnFolders()) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name)
      if (entry.isFile() && file.includes('/tests/')) found.push(file)
    }
  }
  return found
}

const verdictsOf = (id: string) => service.submissions.get(id)?.verdicts ?? []

describe('a submission', () => {
  it('is judged by all tests and its verdict written once, with the attempt that was read', async () => {
    const id = service.addSubmission(right)
    await judge(id)
    const results = service.submissions.get(id)?.test_cases?.map((testCase) => testCase.id)
    expect(verdictsOf(id)).toEqual([
      {
        attempt: ATTEMPT,
        status: 'ACCEPTED',
        stdout: '',
        stderr: '',
        time_elapsed: expect.any(Number),
        failed_test_case_id: null,
        test_case_results: [
          { test_case_id: results?.[0], stdout: '2\n', stderr: '', passed: true },
          { test_case_id: results?.[1], stdout: '', stderr: '', passed: true },
        ],
      },
    ])
    expect(service.logins).toBe(1)
    expect(list.returned).toEqual([])
  })

  it('is skipped when it is no longer pending, or not there', async () => {
    const id = service.addSubmission(right)
    await judge(id)
    list.put({ type: 'submission', id }, { type: 'submission', id: randomUUID() })
    await waitFor('the messages to be done with', () => list.isIdle)
    expect(verdictsOf(id)).toHaveLength(1)
    expect(list.returned).toEqual([])
  })

  it('is judged again when the test cases were replaced meanwhile', async () => {
    const id = service.addSubmission(right)
    service.answers.set('PATCH /v1/submissions', [400])
    await judge(id)
    expect(verdictsOf(id)).toMatchObject([{ status: 'ACCEPTED' }])
    expect(service.requests.filter((route) => route === 'GET /v1/problem_description/tests')).toHaveLength(2)
  })

  it('is an internal error when the service refuses every verdict on its tests', async () => {
    const id = service.addSubmission(right)
    service.answers.set('PATCH /v1/submissions', [400, 400, 400])
    await judge(id)
    expect(verdictsOf(id)).toMatchObject([{ status: 'INTERNAL_ERROR', test_case_results: [] }])
  })

  it.each(['answers', 'pages'] as const)(
    'gets its verdict without outputs when the service or a proxy finds it too large (%s)',
    async (by) => {
      const id = service.addSubmission(right)
      service[by].set('PATCH /v1/submissions', [413])
      await judge(id)
      expect(verdictsOf(id)).toMatchObject([
        { status: 'ACCEPTED', stderr: '[too large to be stored]', test_case_results: [] },
      ])
    },
  )

  it('is an internal error that says so, in a language that is not in the file', async () => {
    const id = service.addSubmission({ ...right, language: 'Brainfuck' })
    await judge(id)
    expect(verdictsOf(id)).toMatchObject([
      { status: 'INTERNAL_ERROR', stderr: expect.stringContaining('"Brainfuck"') },
    ])
  })

  it('is an internal error that says so, when its problem has no tests any more', async () => {
    const gone = service.addSubmission(right)
    service.answers.set('GET /v1/problem_description/tests', [404])
    await judge(gone)
    const empty = service.addSubmission({ ...right, tests: [] })
    list.put({ type: 'submission', id: empty })
    await waitFor('the message to be done with', () => list.isIdle)
    for (const id of [gone, empty]) {
      expect(verdictsOf(id)).toMatchObject([
        { status: 'INTERNAL_ERROR', stderr: expect.stringContaining('no test cases') },
      ])
    }
  })

  it('is held to the limits that the service gives', async () => {
    const id = service.addSubmission({
      ...right,
      source_code: 'setTimeout(() => {}, 1e6)',
      accept_timeout: 0.3,
    })
    await judge(id)
    expect(verdictsOf(id)).toMatchObject([{ status: 'TIME_LIMIT_EXCEEDED' }])
  })
})

describe('a custom-input run', () => {
  it('is run once on its own input', async () => {
    const id = service.addRun('Node', 'process.stdin.pipe(process.stdout); console.error("e")', 'its own')
    await judge(id, 'input')
    expect(service.runs.get(id)?.verdicts).toEqual([
      { attempt: ATTEMPT, status: 'ACCEPTED', stdout: 'its own', stderr: 'e\n', runtime: expect.any(Number) },
    ])
  })

  it('is skipped when it is no longer pending, or not there', async () => {
    const id = service.addRun('js', '', '')
    await judge(id, 'input')
    list.put({ type: 'input', id }, { type: 'input', id: randomUUID() })
    await waitFor('the messages to be done with', () => list.isIdle)
    expect(service.runs.get(id)?.verdicts).toHaveLength(1)
    expect(list.returned).toEqual([])
  })

  it('is an internal error that says so, in a language that is not in the file', async () => {
    const id = service.addRun('Brainfuck', '+', '')
    await judge(id, 'input')
    expect(service.runs.get(id)?.verdicts).toMatchObject([
      { status: 'INTERNAL_ERROR', stderr: expect.stringContaining('"Brainfuck"') },
    ])
  })
})

describe('when the service is in trouble', () => {
  it.each([
    ['the record', 'GET /v1/submissions', [503]],
    ['the record, by a status that is not agreed', 'GET /v1/submissions', [403]],
    ['the tests', 'GET /v1/problem_description/tests', [500]],
    ['the verdict', 'PATCH /v1/submissions', [502]],
  ])('a message comes back that failed at %s', async (_, route, statuses) => {
    service.answers.set(route, [...statuses])
    const id = service.addSubmission(right)
    await judge(id)
    expect(list.returned).toHaveLength(1)
    expect(verdictsOf(id)).toMatchObject([{ status: 'ACCEPTED' }])
  })

  it.each([
    ['the record, as if it were not there', 'GET /v1/submissions', 404],
    ['the tests, as if there were none', 'GET /v1/problem_description/tests', 404],
    ['the verdict, as if it were wrong', 'PATCH /v1/submissions', 400],
  ])('a message comes back when something else than the service answers %s', async (_, route, status) => {
    service.pages.set(route, [status])
    const id = service.addSubmission(right)
    await judge(id)
    expect(list.returned[0]?.reason).toContain(`something else than the service answered`)
    expect(list.returned).toHaveLength(1)
    expect(verdictsOf(id)).toMatchObject([{ status: 'ACCEPTED' }])
  })

  it.each([
    ['fails', 'answers', 500, 'the service answered 500'],
    ['gets the page of a proxy', 'pages', 200, 'something else than the service answered'],
    ['is refused', 'answers', 401, 'the service refuses JUDGE_PASSWORD'],
  ] as const)('a message comes back when a later login %s', async (_, by, status, reason) => {
    await start()
    service.replaceToken()
    service[by].set('POST /v1/login_judge', [status])
    const id = service.addSubmission(right)
    list.put({ type: 'submission', id })
    await waitFor('the message to be done with', () => list.isIdle)
    expect(list.returned).toMatchObject([{ reason: expect.stringContaining(reason) }])
    expect(verdictsOf(id)).toMatchObject([{ status: 'ACCEPTED' }])
  })

  it('a message comes back as often as the service is out of reach', async () => {
    await start({ apiUrl: `${service.url}/` })
    await service.close()
    list.put({ type: 'submission', id: randomUUID() })
    await waitFor('five returns', () => list.returned.length >= 5)
    expect(list.returned[4]?.reason).toMatch(/did not answer GET \/v1\/submissions.*: connect ECONNREFUSED/)
  })

  it('logs in again when the token is refused, also in the middle', async () => {
    const [first, second] = [service.addSubmission(right), service.addSubmission(right)]
    await judge(first)
    service.onRequest.push((route) => {
      if (route === 'GET /v1/problem_description/tests' && service.logins === 1) service.replaceToken()
    })
    list.put({ type: 'submission', id: second })
    await waitFor('the message to be done with', () => list.isIdle)
    expect([list.returned, service.logins]).toEqual([[], 2])
    expect(verdictsOf(second)).toMatchObject([{ status: 'ACCEPTED' }])
  })
})

describe('when the worker is in trouble', () => {
  it('a message comes back twice, and the third time the verdict is an internal error', async () => {
    // The worker's folders are taken away, so that nothing can be put there to run.
    await start()
    for (const folder of await listOwnFolders()) await rm(folder, { recursive: true })
    const [submission, run] = [service.addSubmission(right), service.addRun('js', '', '')]
    list.put({ type: 'submission', id: submission }, { type: 'input', id: run })
    await waitFor('the messages to be done with', () => list.isIdle)
    expect(list.returned.map(({ message }) => message.type).sort()).toEqual([
      'input',
      'input',
      'submission',
      'submission',
    ])
    const verdict = {
      attempt: ATTEMPT,
      status: 'INTERNAL_ERROR',
      stderr: expect.stringContaining('not the fault of the program'),
    }
    expect(verdictsOf(submission)).toMatchObject([verdict])
    expect(service.runs.get(run)?.verdicts).toMatchObject([verdict])
    expect(logged).toContain('the worker failed to judge')
    expect(logged).not.toContain('readFileSync(0')
  })
})

describe('the tests of a problem', () => {
  it('are fetched once for all submissions to it, and checked for each', async () => {
    const first = service.addSubmission(right)
    const second = service.addSubmission(right, first)
    await judge(first)
    list.put({ type: 'submission', id: second })
    await waitFor('the message to be done with', () => list.isIdle)
    expect([first, second].map((id) => verdictsOf(id)[0]?.status)).toEqual(['ACCEPTED', 'ACCEPTED'])
    expect(service.testsAnswers.map(({ status }) => status)).toEqual([200, 304])
  })

  it('are fetched for each submission with a limit of 0 bytes', async () => {
    const first = service.addSubmission(right)
    const second = service.addSubmission(right, first)
    await start({ testCacheBytes: 0 })
    list.put({ type: 'submission', id: first }, { type: 'submission', id: second })
    await waitFor('the messages to be done with', () => list.isIdle)
    expect([first, second].map((id) => verdictsOf(id)[0]?.status)).toEqual(['ACCEPTED', 'ACCEPTED'])
    expect(service.testsAnswers.map(({ status }) => status)).toEqual([200, 200])
  })

  it('are fetched again when the kept ones are damaged, without giving the message back', async () => {
    const first = service.addSubmission(right)
    const second = service.addSubmission(right, first)
    await judge(first)
    const kept = await listKeptTests()
    expect(kept).toHaveLength(right.tests.length)
    for (const file of kept) await rm(file)
    list.put({ type: 'submission', id: second })
    await waitFor('the message to be done with', () => list.isIdle)
    expect([verdictsOf(second)[0]?.status, list.returned]).toEqual(['ACCEPTED', []])
  })

  it('are deleted when the worker stops', async () => {
    const before = await findLeftBehind(process.pid)
    await judge(service.addSubmission(right))
    expect(await listKeptTests()).not.toEqual([])
    await worker?.stop()
    expect(await listKeptTests()).toEqual([])
    expect(await findLeftBehind(process.pid)).toEqual(before)
  })

  testUnless(noBubblewrap)('cannot be seen by a program', async () => {
    await start({ sandbox: 'bubblewrap' })
    const paths = JSON.stringify([...(await listOwnFolders()), tmpdir()])
    // What the program can list of the worker's folders, and of the folder that they are in.
    const source_code = `const list = (path) => { try { return require('fs').readdirSync(path) } catch { return [] } }
      console.log(${paths}.flatMap(list).filter((name) => /tests|judge-worker/.test(name)).length)`
    const id = service.addSubmission({ ...right, source_code, tests: [{ input: '1', expected_output: '0' }] })
    list.put({ type: 'submission', id })
    await waitFor('the message to be done with', () => list.isIdle)
    expect(await listKeptTests()).toHaveLength(1)
    expect(verdictsOf(id)).toMatchObject([{ status: 'ACCEPTED', stdout: '0\n' }])
  })
})

describe('starting and stopping', () => {
  it('judges as many at once as it was told, and no more', async () => {
    const slow = { ...right, source_code: `setTimeout(() => console.log(2), 300)`, tests: tests.slice(0, 1) }
    const ids = Array.from({ length: 5 }, () => service.addSubmission(slow))
    await start({ concurrency: 3 })
    list.put(...ids.map((id) => ({ type: 'submission' as const, id })))
    await waitFor('the messages to be done with', () => list.isIdle)
    expect(ids.flatMap(verdictsOf).map((verdict) => verdict.status)).toEqual(Array(5).fill('ACCEPTED'))
    expect(list.mostAtOnce).toBe(3)
  })

  it('finishes what runs when it is stopped, and takes nothing new', async () => {
    const slow = service.addSubmission({
      ...right,
      source_code: `setTimeout(() => console.log(2), 500)`,
      tests: tests.slice(0, 1),
    })
    const next = service.addSubmission(right)
    const started = await start()
    list.put({ type: 'submission', id: slow }, { type: 'submission', id: next })
    await waitFor('the first to run', () => service.requests.includes('GET /v1/problem_description/tests'))
    await started.stop()
    expect([verdictsOf(slow).length, verdictsOf(next).length]).toEqual([1, 0])
  })

  it('gives back what runs too long to wait for', async () => {
    const id = service.addSubmission({ ...right, source_code: 'setTimeout(() => {}, 1e6)' })
    const started = await start({ stopGraceMs: 100 })
    list.put({ type: 'submission', id })
    await waitFor('it to run', () => service.requests.includes('GET /v1/problem_description/tests'))
    const stopsAt = performance.now()
    await started.stop()
    expect(performance.now() - stopsAt).toBeLessThan(5000)
    expect(list.returned).toEqual([
      { message: { type: 'submission', id }, reason: 'Error: the worker is stopping' },
    ])
    expect(verdictsOf(id)).toEqual([])
  })

  it('lists the languages that are not installed with their commands, and their verdicts say so', async () => {
    const [javascript] = languages.filter(({ name }) => name === 'JavaScript')
    if (javascript === undefined) throw new Error('there is no JavaScript')
    const interpreted = { ...javascript, name: 'Ghost', version: '1', run: ['ghost', '{source}'] as const }
    const compiled = { ...interpreted, name: 'Spook', version: '2', compile: ['spookc', '{source}'] as const }
    const started = await start({ languages: [interpreted, javascript, compiled] })
    expect(started.installedLanguages).toEqual([javascript])
    const lines = logged.split('\n').filter((line) => line.includes('not installed'))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'info', missing: ['Ghost 1: ghost', 'Spook 2: spookc'] },
    ])
    const [submission, run] = [
      service.addSubmission({ ...right, language: 'Spook' }),
      service.addRun('Ghost', '', ''),
    ]
    list.put({ type: 'submission', id: submission }, { type: 'input', id: run })
    await waitFor('the messages to be done with', () => list.isIdle)
    const notInstalled = (language: string, command: string) => ({
      status: 'INTERNAL_ERROR',
      stderr: `${language} is not installed on this judge worker: "${command}" was not found`,
    })
    expect(verdictsOf(submission)).toMatchObject([notInstalled('Spook 2', 'spookc')])
    expect(service.runs.get(run)?.verdicts).toMatchObject([notInstalled('Ghost 1', 'ghost')])
  })

  it('says nothing about missing languages when all are installed', async () => {
    const javascript = languages.filter(({ name }) => name === 'JavaScript')
    expect((await start({ languages: javascript })).installedLanguages).toEqual(javascript)
    expect(logged).not.toContain('not installed')
  })

  it('refuses to start with a wrong password, without taking a message', async () => {
    list.put({ type: 'submission', id: service.addSubmission(right) })
    await expect(start({ judgePassword: 'another password' })).rejects.toThrow(
      `the judge worker cannot start: JUDGE_PASSWORD: the service at ${service.url} refuses it`,
    )
    expect([list.waiting.length, logged]).toEqual([1, ''])
  })

  it('leaves no folder behind when its source cannot start', async () => {
    const source = { consume: () => Promise.reject(new Error('no messages here')) }
    const before = await findLeftBehind(process.pid)
    await expect(start({ source })).rejects.toThrow('no messages here')
    expect(await findLeftBehind(process.pid)).toEqual(before)
  })

  it('refuses to start in bubblewrap where that is not installed', async () => {
    const path = process.env.PATH
    const empty = await mkdtemp(join(tmpdir(), 'worker-test-'))
    await chmod(empty, 0o755)
    process.env.PATH = empty
    const options = {
      apiUrl: service.url,
      judgePassword: PASSWORD,
      source: list.source,
      languages,
      concurrency: 1,
    }
    try {
      await expect(startWorker({ ...options, sandbox: 'bubblewrap' })).rejects.toThrow(
        /install bwrap \(package bubblewrap\).* or run trusted programs only with --unsandboxed/,
      )
      worker = await startWorker({ ...options, sandbox: 'bubblewrap-if-installed' })
      expect(worker.isolation).toContain('no isolation')
    } finally {
      process.env.PATH = path
      await rm(empty, { recursive: true })
    }
  })
})
