import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startHeartbeat } from '../src/messages/heartbeat.ts'
import { silentLogger } from '../src/shared/logger.ts'
import { JUDGING } from './support/judge-service.ts'
import { listWorkerFolders, right, useTestWorker } from './support/test-worker.ts'
import { waitFor } from './support/wait.ts'

const setup = useTestWorker()
const { start, queue, judge, verdictsOf } = setup

describe('a submission', () => {
  it('runs on all tests and gets one verdict, with the number of its judging', async () => {
    const id = setup.service.addSubmission(right)
    await judge(id)
    const [first, second] = setup.service.submissions.get(id)?.test_cases ?? []
    const measured = { time_elapsed: expect.any(Number), memory_used: expect.any(Number) }
    const passed = { status: 'ACCEPTED', passed: true, stderr: '', ...measured }
    const test_case_results = [
      { test_case_id: first?.id, stdout: '2\n', ...passed },
      { test_case_id: second?.id, stdout: '', ...passed },
    ]
    const numbers = { judging: JUDGING, worker: 'judge-1' }
    const result = { status: 'ACCEPTED', stdout: '', stderr: '', failed_test_case_id: null, ...measured }
    expect(verdictsOf(id)).toEqual([{ ...numbers, ...result, test_case_results }])
    expect([setup.service.logins, setup.list.returned]).toEqual([1, []])
  })

  it('is judged again when its test cases were replaced during the judging; after three refused verdicts it gets INTERNAL_ERROR', async () => {
    const [again, refused] = [setup.service.addSubmission(right), setup.service.addSubmission(right)]
    setup.service.statuses.set('PATCH /v1/submissions', [400])
    await judge(again)
    expect(verdictsOf(again)).toMatchObject([{ status: 'ACCEPTED' }])
    expect(setup.service.testsResponses.map(({ status }) => status)).toEqual([200, 304])
    setup.service.statuses.set('PATCH /v1/submissions', [400, 400, 400])
    await judge(refused)
    expect(verdictsOf(refused)).toMatchObject([{ status: 'INTERNAL_ERROR', test_case_results: [] }])
  })

  it.each([
    ['the service', 'statuses'],
    ['a proxy', 'pages'],
  ] as const)('gets its verdict without outputs when %s finds it too large', async (_, by) => {
    const id = setup.service.addSubmission(right)
    setup.service[by].set('PATCH /v1/submissions', [413])
    await judge(id)
    expect(verdictsOf(id)).toMatchObject([
      { status: 'ACCEPTED', stderr: '[too large to be stored]', test_case_results: [] },
    ])
  })

  it('gets INTERNAL_ERROR with the reason when its problem has no tests or was deleted', async () => {
    const ids = [right, { ...right, tests: [] }].map((one) => setup.service.addSubmission(one))
    for (const route of ['test_cases', 'tests'])
      setup.service.statuses.set(`GET /v1/problem_description/${route}`, [404])
    await judge(...ids)
    const noTests = { status: 'INTERNAL_ERROR', stderr: expect.stringContaining('no test cases') }
    expect(ids.map(verdictsOf)).toMatchObject([[noTests], [noTests]])
  })

  const [presentation, output] = ['PRESENTATION_ERROR', 'OUTPUT_LIMIT_EXCEEDED']
  const spaced = { ...right, source_code: 'echo 4 2', tests: [{ input: '21', expected_output: '42' }] }
  const endless = { ...right, source_code: 'exec yes', options: { limits: { output: 1 } } }

  it('gets a status that all clients know, with the finer one as its reason; test cases and runs have the finer one (D23)', async () => {
    const [first, second, third] = [spaced, endless, right].map((one) => setup.service.addSubmission(one))
    const run = setup.service.addRun('sh', 'exec yes', '')
    // It is sent again without its texts.
    setup.service.statuses.set('PATCH /v1/submissions', [413])
    await judge(second ?? '')
    await judge(first ?? '', third ?? '', run)
    expect(verdictsOf(second ?? '')).toMatchObject([
      { status: 'RUNTIME_ERROR', reason: output, stderr: '[too large to be stored]' },
    ])
    expect(verdictsOf(first ?? '')).toMatchObject([
      { status: 'WRONG_ANSWER', reason: presentation, test_case_results: [{ status: presentation }] },
    ])
    for (const [id, status] of [
      [third ?? '', 'ACCEPTED'],
      [run, output],
    ] as const) {
      expect(verdictsOf(id)).toMatchObject([{ status }])
      expect(verdictsOf(id)[0]).not.toHaveProperty('reason')
    }
  })

  it('gets the finer status itself with WORKER_VERDICTS=all', async () => {
    await start({ verdicts: 'all' })
    const ids = [spaced, endless].map((one) => setup.service.addSubmission(one))
    await judge(...ids)
    const verdicts = ids.flatMap(verdictsOf)
    expect(verdicts.map(({ status, reason }) => [status, reason])).toEqual([
      [presentation, undefined],
      [output, undefined],
    ])
  })

  it('runs within the limits that the service gives', async () => {
    const id = setup.service.addSubmission({ ...right, source_code: 'sleep 60', accept_timeout: 0.3 })
    await judge(id)
    expect(verdictsOf(id)).toMatchObject([{ status: 'TIME_LIMIT_EXCEEDED' }])
  })
})

describe('a long judging', () => {
  const slow = { ...right, source_code: 'read n; sleep 1; echo $((2 * n))' }
  const HEARTBEAT = 'POST /v1/submissions/heartbeat'

  it('is renewed with its number every third of the time, despite failures; a short one is not', async () => {
    setup.service.requeueAfter = 300
    await judge(setup.service.addSubmission(right))
    expect(setup.service.heartbeats).toEqual([])
    setup.service.requeueAfter = 1.2
    setup.service.statuses.set(HEARTBEAT, [503])
    const id = setup.service.addSubmission(slow)
    await judge(id)
    expect(verdictsOf(id)).toMatchObject([{ status: 'ACCEPTED' }])
    expect(setup.service.heartbeats.length).toBeGreaterThan(1)
    expect(setup.service.heartbeats).toEqual(setup.service.heartbeats.map(() => ({ judging: JUDGING })))
    expect(setup.logged).toContain('did not get the heartbeat')
  })

  it.each([
    ['a later judging has begun', 409],
    ['its submission was deleted', 404],
  ])('is abandoned if %s', async (_, status) => {
    setup.service.requeueAfter = 0.9
    setup.service.codes.set(409, 'JUDGING_ENDED')
    setup.service.statuses.set(HEARTBEAT, [status])
    const id = setup.service.addSubmission(slow)
    await judge(id)
    expect([verdictsOf(id), setup.list.returned]).toEqual([[], []])
  })
})

it.each([
  ['a third of the time', 300, 100_000],
  ['at least a tenth of a second', 0.001, 100],
  ['at most an hour: longer timers of Node.js end at once', 10_000_000, 3_600_000],
])('the pause between heartbeats is %s', async (_, requeueAfterSeconds, pauseMs) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const renewJudging = vi.fn(async () => 'renewed' as const)
  const onEnd = vi.fn()
  const judging = { api: { renewJudging }, id: 'a', judging: 1, logger: silentLogger }
  const stop = startHeartbeat({ ...judging, requeueAfterSeconds, onEnd })
  await vi.advanceTimersByTimeAsync(pauseMs - 1)
  expect(renewJudging).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(renewJudging).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(pauseMs)
  expect(renewJudging).toHaveBeenCalledTimes(2)
  stop()
  expect(onEnd).not.toHaveBeenCalled()
})

it.each([
  ['problem', 'GET /v1/problem_description/test_cases', 2],
  ['record', 'GET /v1/submissions', 0],
])('a %s for newer workers is logged once, and its messages come back', async (_, route, heartbeats) => {
  setup.service.codes.set(409, 'WORKER_TOO_OLD')
  setup.service.statuses.set(route, [409, 409])
  const id = setup.service.addSubmission(right)
  await judge(id)
  expect(setup.list.returned).toHaveLength(2)
  expect(verdictsOf(id)).toMatchObject([{ status: 'ACCEPTED' }])
  expect(setup.logged.match(/too old for a problem/g)).toHaveLength(1)
  expect(setup.service.heartbeats).toEqual(Array(heartbeats).fill({ judging: JUDGING }))
})

it('a custom-input run runs once on its own input, with the number of its judging', async () => {
  const id = setup.service.addRun('sh', 'cat; echo e >&2', 'its own')
  await judge(id)
  const result = { status: 'ACCEPTED', stdout: 'its own', stderr: 'e\n', runtime: expect.any(Number) }
  expect(verdictsOf(id)).toEqual([{ judging: JUDGING, ...result }])
})

describe.each(['submission', 'input'] as const)('a message of type %s', (type) => {
  const add = (language = 'sh') =>
    type === 'submission'
      ? setup.service.addSubmission({ ...right, language })
      : setup.service.addRun(language, 'true', '')

  it('gets INTERNAL_ERROR with the reason when its language is not in the file', async () => {
    const id = add('Brainfuck')
    await judge(id)
    const stderr = expect.stringContaining('"Brainfuck"')
    expect(verdictsOf(id)).toMatchObject([{ status: 'INTERNAL_ERROR', stderr }])
  })

  it('is skipped when its record is not pending or does not exist', async () => {
    const id = add()
    await judge(id)
    setup.list.put({ type, id }, { type, id: randomUUID() })
    await waitFor('an empty list', () => setup.list.isIdle)
    expect(verdictsOf(id)).toHaveLength(1)
    expect(setup.list.returned).toEqual([])
  })

  it('comes back twice when the worker fails; the third failure gives INTERNAL_ERROR', async () => {
    await start()
    // Without its folders the worker cannot run a program.
    for (const folder of await listWorkerFolders()) await rm(folder, { recursive: true })
    const id = add()
    await judge(id)
    expect(setup.list.returned.map(({ message }) => message)).toEqual(Array(2).fill({ type, id }))
    const stderr = expect.stringContaining('not the fault of the program')
    const failed = { judging: JUDGING, status: 'INTERNAL_ERROR', stderr }
    expect(verdictsOf(id)).toMatchObject([failed])
    expect(setup.logged).toContain('the worker failed to judge')
    expect(setup.logged).not.toContain(right.source_code)
  })
})

describe('a message comes back when', () => {
  const [login, record] = ['POST /v1/login_judge', 'GET /v1/submissions']
  const [tests, verdict] = ['GET /v1/problem_description/test_cases', 'PATCH /v1/submissions']
  const foreign = 'the response is not from the service'

  it.each([
    ['the request for the record fails', 'statuses', record, 503, '503'],
    ['the request for the record gets an unexpected status', 'statuses', record, 403, '403'],
    ['the request for the tests fails', 'statuses', tests, 500, '500'],
    ['the request with the verdict fails', 'statuses', verdict, 502, '502'],
    ['a proxy responds to the request for the record, with 404', 'pages', record, 404, foreign],
    ['a proxy responds to the request for the tests, with 404', 'pages', tests, 404, foreign],
    ['a proxy responds to the request with the verdict, with 400', 'pages', verdict, 400, foreign],
    ['a later login fails', 'statuses', login, 500, 'the service responded 500'],
    ['a proxy responds to a later login', 'pages', login, 200, foreign],
    ['a later login is refused', 'statuses', login, 401, 'the service refuses JUDGE_PASSWORD'],
  ] as const)('%s', async (_, by, route, status, reason) => {
    await start()
    if (route === login) setup.service.replaceToken()
    setup.service[by].set(route, [status])
    const id = setup.service.addSubmission(right)
    await judge(id)
    expect(setup.list.returned).toMatchObject([{ reason: expect.stringContaining(reason) }])
    expect(verdictsOf(id)).toMatchObject([{ status: 'ACCEPTED' }])
  })

  it('the service is out of reach, each time', async () => {
    await start({ apiUrl: `${setup.service.url}/` })
    await setup.service.close()
    queue(randomUUID())
    await waitFor('five returns', () => setup.list.returned.length >= 5)
    const reason = /no response to GET \/v1\/submissions.*: connect ECONNREFUSED/
    expect(setup.list.returned[4]?.reason).toMatch(reason)
  })
})

it('logs in again when the service refuses the token during a judging', async () => {
  const [first, second] = [setup.service.addSubmission(right), setup.service.addSubmission(right)]
  await judge(first)
  setup.service.onRequest.push((route) => {
    if (route === 'GET /v1/problem_description/test_cases' && setup.service.logins === 1)
      setup.service.replaceToken()
  })
  await judge(second)
  expect([setup.list.returned, setup.service.logins]).toEqual([[], 2])
  expect(verdictsOf(second)).toMatchObject([{ status: 'ACCEPTED' }])
})
