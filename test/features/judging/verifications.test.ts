import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { callerOf } from '../../support/caller.ts'
import { NO_PROBLEM, NOBODY, UUID } from '../../support/ids.ts'
import { messagesFor, serviceWithProblem } from '../../support/judging.ts'
import { invalid, notFound, refusal } from '../../support/refusals.ts'
import {
  CHECK,
  makeVerifiedProblems,
  RIGHT,
  SLOW,
  VALIDATES,
  WRONG,
} from '../../support/verified-problems.ts'

const judging = await serviceWithProblem()
const { service, admin, createProblem } = judging
const { judgeToken } = service
const { importProblem, findJudging } = makeVerifiedProblems(judging)

const programs = { [RIGHT]: 'print({{answer}})', [WRONG]: 'print(41)', [SLOW]: 'while True: pass' }
const both = { ...programs, [CHECK]: 'exit(42)' }
const ANSWERS = 'answer_validators/check'

const worker = (capabilities = VALIDATES['judge-capabilities']) =>
  callerOf(service, judgeToken, { 'judge-capabilities': capabilities })
const judgingUrl = async (verification: string, path: string) =>
  `/v1/submissions/${await findJudging(verification, path)}`

describe('a verification', () => {
  it('queues a judging of each program and validator, with all test cases and higher limits', async () => {
    const answers = { [`${ANSWERS}/build`]: 'echo', [`${ANSWERS}/data.txt`]: '{{answer}}' }
    const input_flags = { 'secret/2': ['--max', '9'], gone: ['1'] }
    const metadata = { constants: { answer: { value: 42 } }, input_flags }
    const problem = await importProblem({ ...both, ...answers }, { metadata })
    const wakes = service.wakes()
    const report = await admin.post(problem.url, undefined, 201)
    expect(service.wakes()).toBe(wakes + 1)
    const pending = { language: 'Python', status: 'PENDING' }
    expect(report).toEqual({
      ...{ id: expect.stringMatching(UUID), problem_id: problem.id, created_at: expect.any(String) },
      status: 'PENDING',
      programs: [
        { path: RIGHT, expected: 'ACCEPTED', ...pending },
        { path: SLOW, expected: 'TIME_LIMIT_EXCEEDED', ...pending },
        { path: WRONG, expected: 'WRONG_ANSWER', ...pending },
      ],
      validators: [
        { path: CHECK, kind: 'input', status: 'PENDING', rejected: [] },
        { path: ANSWERS, kind: 'answer', status: 'PENDING', rejected: [] },
      ],
      time_limit: { seconds: 1.5, provisional: false },
    })
    expect(await problem.read(report.id)).toEqual(report)
    const id = await findJudging(report.id, RIGHT)
    expect(await messagesFor(service, id)).toEqual([{ kind: 'shadow', judging: 1 }])
    const readRecord = async (path: string) => worker().get(await judgingUrl(report.id, path))
    const record = await readRecord(RIGHT)
    expect(record).toMatchObject({ source_code: 'print(42)', run: 'all', language: { name: 'Python' } })
    expect(record.problem).toMatchObject({ execution_timeout: 3.25, accept_timeout: 7.5, memory_limit: 64 })
    expect(record).not.toHaveProperty('validator')
    expect((await readRecord(CHECK)).validator).toEqual({
      ...{ type: 'input', language: 'Python', arguments: { [problem.cases[1] ?? '']: ['--max', '9'] } },
      files: [{ name: 'check.py', content: 'exit(42)' }],
    })
    expect((await readRecord(ANSWERS)).validator).toEqual({
      ...{ type: 'answer', build: ['sh', '{dir}/build'], run: ['{dir}/run'], arguments: {} },
      files: [
        { name: 'build', content: 'echo' },
        { name: 'data.txt', content: '42' },
      ],
    })
  })

  it('reports whether the results are as expected, at the problem’s own limit', async () => {
    const problem = await importProblem(both)
    const id = await problem.verify()
    await problem.judge(id, RIGHT, 'ACCEPTED')
    const right = { status: 'ACCEPTED', agrees: true }
    expect(await problem.read(id)).toMatchObject({ status: 'PENDING', programs: [right, {}, {}] })
    await problem.judge(id, WRONG, 'ACCEPTED')
    // Within the limit of the judging, but above that of the problem.
    await problem.judge(id, SLOW, 'ACCEPTED', problem.resultsOf(['ACCEPTED', 0.1], ['ACCEPTED', 2.5]))
    const results = problem.resultsOf(['ACCEPTED', 0], ['WRONG_ANSWER', 0, 'too large'])
    await problem.judge(id, CHECK, 'WRONG_ANSWER', results)
    const rejected = [{ test_case: 'secret/2', message: 'too large' }]
    const times = { computed: 1, slowest_accepted: 0.2, fastest_too_slow: 2.5 }
    expect(await problem.read(id)).toMatchObject({
      ...{ status: 'DONE', agrees: false },
      programs: [
        { path: RIGHT, status: 'ACCEPTED', slowest_time: 0.2, agrees: true },
        { path: SLOW, status: 'TIME_LIMIT_EXCEEDED', slowest_time: 2.5, agrees: true },
        { path: WRONG, status: 'ACCEPTED', agrees: false, message: expect.stringContaining('WRONG_ANSWER') },
      ],
      validators: [{ status: 'REJECTED', agrees: false, rejected }],
      time_limit: { seconds: 1.5, provisional: false, ...times },
    })
    await problem.judge(id, WRONG, 'WRONG_ANSWER')
    await problem.judge(id, CHECK, 'ACCEPTED')
    expect(await problem.read(id)).toMatchObject({ status: 'DONE', agrees: true })
  })

  it('uses the reason of a verdict as its status (D23), also with a worker that names only failed test cases', async () => {
    const paths = ['presentation_error', 'output_limit'].map((folder) => `submissions/${folder}/a.py`)
    const problem = await importProblem({ [paths[0] ?? '']: '', [paths[1] ?? '']: '', [WRONG]: '' })
    const id = await problem.verify()
    const [, failed_test_case_id = ''] = problem.cases
    const results = problem.resultsOf(['ACCEPTED', 0.1], ['WRONG_ANSWER', 0.2])
    const test_case_results = results.map(({ status: _, ...result }) => result)
    const presentation = { status: 'WRONG_ANSWER', reason: 'PRESENTATION_ERROR' }
    const output = { status: 'RUNTIME_ERROR', reason: 'OUTPUT_LIMIT_EXCEEDED' }
    for (const [path = '', verdict] of [
      [paths[0], presentation],
      [paths[1], output],
      [WRONG, output],
    ] as const) {
      const body = { ...verdict, failed_test_case_id, test_case_results }
      await worker().patch(await judgingUrl(id, path), body, 204)
    }
    const report = await problem.read(id)
    expect(report).toMatchObject({
      agrees: true,
      programs: [
        { status: output.reason, agrees: true },
        { status: presentation.reason, agrees: true },
        // For the format, too much output is a wrong answer.
        { path: WRONG, status: output.reason, agrees: true },
      ],
    })
  })

  it('leaves out programs and validators that cannot be judged; the others decide', async () => {
    const problem = await importProblem({
      [RIGHT]: 'print(42)',
      'submissions/accepted/two/a.py': '',
      'submissions/accepted/two/b.py': '',
      'submissions/accepted/x.klingon': '',
      'input_validators/check.viva': '',
      'input_validators/check.ctd': '',
    })
    const id = await problem.verify()
    await problem.judge(id, RIGHT, 'ACCEPTED')
    const report = await problem.read(id)
    expect(report).toMatchObject({ status: 'DONE', agrees: true })
    const left = [...report.programs.slice(1), ...report.validators]
    expect(left).toHaveLength(4)
    for (const { status, agrees, message } of left)
      expect([status, agrees, message]).toEqual([
        expect.stringMatching('NOT_JUDGED|NOT_RUN'),
        undefined,
        expect.stringMatching('no file is called main|no language|only validators that are programs'),
      ])
  })

  it('neither agrees nor disagrees if the service can judge nothing', async () => {
    const files = { 'submissions/accepted/x.klingon': '', 'input_validators/check.viva': '' }
    const problem = await importProblem(files)
    const report = await problem.read(await problem.verify())
    expect(report).toMatchObject({ status: 'DONE', message: expect.stringContaining('cannot judge any') })
    expect(report).not.toHaveProperty('agrees')
  })

  it('shows the reason of a verdict without test cases', async () => {
    const problem = await importProblem({ [RIGHT]: 'print(42)', [CHECK]: '(' })
    const id = await problem.verify()
    const broken = { status: 'INTERNAL_ERROR', judge_message: 'the validator does not compile' }
    await worker().patch(await judgingUrl(id, CHECK), broken, 204)
    const faulty = { status: 'COMPILE_TIME_ERROR', stderr: 'line 1: a fault' }
    await worker().patch(await judgingUrl(id, RIGHT), faulty, 204)
    const message = expect.stringContaining('a fault')
    expect(await problem.read(id)).toMatchObject({
      agrees: false,
      programs: [{ status: 'COMPILE_TIME_ERROR', agrees: false, message }],
      validators: [{ status: 'INTERNAL_ERROR', agrees: false, message: broken.judge_message }],
    })
  })

  it('names at most 20 rejected test cases, with messages of at most 2,000 characters', async () => {
    const test_cases = Array.from({ length: 25 }, (_, i) => ({ input: `${i}`, expected_output: '42' }))
    const problem = await importProblem({ [CHECK]: '' }, {}, { test_cases })
    const id = await problem.verify()
    const wrong = { passed: false, status: 'WRONG_ANSWER', judge_message: 'x'.repeat(5000) }
    const results = problem.cases.map((test_case_id) => ({ ...wrong, test_case_id, time_elapsed: 0 }))
    await problem.judge(id, CHECK, 'WRONG_ANSWER', results)
    const [validator] = (await problem.read(id)).validators
    expect(validator).toMatchObject({ status: 'REJECTED', message: expect.stringContaining('20 of 25') })
    expect(validator.rejected).toHaveLength(20)
    expect(validator.rejected[0]).toEqual({ test_case: 'sample/1', message: 'x'.repeat(2000) })
  })

  it('gives a problem with test groups the score at its own limit', async () => {
    const test_groups = [
      { name: 'one', points: 40, aggregation: 'sum', cases: [1] },
      { name: 'two', points: 60, aggregation: 'sum', cases: [2] },
    ]
    const problem = await importProblem({ [RIGHT]: '' }, { metadata: { type: ['scoring'] } }, { test_groups })
    const id = await problem.verify()
    const [first, second] = problem.resultsOf(['ACCEPTED', 0.1], ['ACCEPTED', 2])
    const test_case_results = [
      { ...first, score: 40 },
      { ...second, score: 60 },
    ]
    const verdict = { status: 'ACCEPTED', score: 100, test_case_results }
    await worker('test-groups/1, verification/1').patch(await judgingUrl(id, RIGHT), verdict, 204)
    const [program] = (await problem.read(id)).programs
    expect(program).toMatchObject({ status: 'TIME_LIMIT_EXCEEDED', score: 40, agrees: false })
  })
})

describe('the report of a finished verification', () => {
  const files = { [WRONG]: 'print(41)', [CHECK]: '' }
  const judgeBoth = async (problem: Awaited<ReturnType<typeof importProblem>>, id: string) => {
    const results = problem.resultsOf(['ACCEPTED', 0.1], ['WRONG_ANSWER', 0.2, 'no'])
    for (const path of [WRONG, CHECK]) await problem.judge(id, path, 'WRONG_ANSWER', results)
  }

  it('stays when test cases are replaced later', async () => {
    const problem = await importProblem({
      ...files,
      'submissions/submissions.yaml': "wrong_answer/wrong.py:\n  secret/2:\n    required: ['WA']\n",
    })
    const id = await problem.verify()
    await judgeBoth(problem, id)
    const report = await problem.read(id)
    expect(report).toMatchObject({
      programs: [{ status: 'WRONG_ANSWER', agrees: true }],
      validators: [{ rejected: [{ test_case: 'secret/2', message: 'no' }] }],
    })
    expect(report).not.toHaveProperty('outdated')
    await admin.delete(`/v1/problems/${problem.id}/test_cases/${problem.cases[1]}`, 204)
    expect(await problem.read(id)).toEqual(report)
  })

  it('says that the problem changed before the last verdict', async () => {
    const problem = await importProblem(files)
    const id = await problem.verify()
    await admin.put(`/v1/problems/${problem.id}`, { memory_limit: 65 })
    expect(await problem.read(id)).toMatchObject({ status: 'PENDING', outdated: true })
    await judgeBoth(problem, id)
    expect(await problem.read(id)).toMatchObject({ status: 'DONE', outdated: true })
  })
})

it('a verdict of a validator has no score, also if the problem has test groups', async () => {
  const test_groups = [{ name: 'all', points: 100, aggregation: 'sum', cases: [1, 2] }]
  const problem = await importProblem({ [CHECK]: '' }, {}, { test_groups })
  const id = await problem.verify()
  const url = await judgingUrl(id, CHECK)
  const able = worker('test-groups/1, verification/1')
  const { message } = await able.patch(url, { status: 'ACCEPTED', score: 100 }, invalid)
  expect(message).toContain('score must be absent')
  await able.patch(url, { status: 'ACCEPTED' }, 204)
  const agrees = { agrees: true, validators: [{ status: 'ACCEPTED', agrees: true }] }
  expect(await problem.read(id)).toMatchObject({ status: 'DONE', ...agrees })
})

it('a verification that cannot be settled does not refuse the verdict', async () => {
  const id = await (await importProblem({ [CHECK]: '' })).verify()
  const url = await judgingUrl(id, CHECK)
  await service.database.query(unprepared(`update verifications set plan = '{}' where id = $1`), [id])
  await worker().patch(url, { status: 'ACCEPTED' }, 204)
  expect(await admin.get(url)).toMatchObject({ status: 'ACCEPTED' })
})

describe('the routes of verifications', () => {
  it('refuse problems and verifications that do not exist, or belong to another problem (404)', async () => {
    const [one, other] = [await importProblem({ [RIGHT]: '' }), await importProblem({ [RIGHT]: '' })]
    const id = await one.verify()
    await admin.post(`/v1/problem_packages/${NO_PROBLEM}/verifications`, undefined, notFound('problem'))
    await admin.get(`${one.url}/${NOBODY}`, notFound('verification'))
    await admin.get(`${other.url}/${id}`, notFound('verification'))
    await admin.delete(`/v1/problems/${one.id}`, 204)
    await admin.post(one.url, undefined, notFound('problem'))
    await admin.get(`${one.url}/${id}`, notFound('verification'))
    // Its judgings end as usual.
    await one.judge(id, RIGHT, 'ACCEPTED', [])
  })

  it('refuse a problem without programs and validators (400)', async () => {
    const plain = await createProblem()
    for (const { id } of [plain, await importProblem({ 'statement/problem.en.md': 'Print 42.' })])
      await admin.post(`/v1/problem_packages/${id}/verifications`, undefined, invalid)
    const broken = await importProblem({ [RIGHT]: '', 'submissions/submissions.yaml': '{' })
    const { message } = await admin.post(broken.url, undefined, invalid)
    expect(message).toContain('submissions/submissions.yaml')
  })

  it('keep programs and validators from a worker that lacks verification/1 (409)', async () => {
    const id = await (await importProblem({ [RIGHT]: '', [CHECK]: '' })).verify()
    const tooOld = refusal(409, 'WORKER_TOO_OLD', expect.stringContaining('verification/1'))
    const older = worker('validation/1')
    for (const path of [RIGHT, CHECK]) {
      const url = await judgingUrl(id, path)
      await older.get(url, tooOld)
      await older.patch(url, { status: 'ACCEPTED' }, tooOld)
    }
    expect(await admin.get(await judgingUrl(id, CHECK))).toMatchObject({ validator: { type: 'input' } })
  })
})
