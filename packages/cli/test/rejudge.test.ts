import { orThrow } from '@judge-data-layer/client/errors'
import { beforeAll, describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { useService } from '../../client/test/support/listening-app.ts'
import { judge, judgeJson } from './support/command-line.ts'

const setup = useService()

let env: Record<string, string>
let adminToken: string
let eventId: number
let problemId: number
let submissions: { readonly id: string; readonly name: string }[]

const asAdmin = () => setup.service.as(adminToken)

/** A contest in which two people have the wrong verdict. */
beforeAll(async () => {
  const admin = await setup.service.createPerson({ admin: true })
  adminToken = admin.token
  env = { JUDGE_URL: setup.service.url, JUDGE_USER_TOKEN: adminToken }
  const problem = { title: 'Sum', identifier: 'sum', prompt: 'P', difficulty: 'EASY', public: true }
  const tests = { test_cases: [{ input: '1', expected_output: '1' }] }
  problemId = (await asAdmin().post('/v1/problems', { ...problem, ...tests })).id
  const times = { start_time: '2020-01-01T00:00:00Z', end_time: '2100-01-01T00:00:00Z' }
  const problems = [{ problem_id: problemId, label: 'Q' }]
  const event = { title: 'Exam', description: 'E', public: true, ...times, problems }
  eventId = (await asAdmin().post('/v1/events', event)).id
  submissions = [await submit('Nora', 'WRONG_ANSWER'), await submit('Omar', 'ACCEPTED')]
})

async function submit(name: string, status: string) {
  const body = { name, email: `${name}@example.org`, password: 'a long password' }
  const { id: user_id, token } = await orThrow(setup.service.connect().POST('/v1/basic_register', { body }))
  const user = setup.service.as(token)
  await user.post(`/v1/public/events/${eventId}/register`)
  const languages = await orThrow(setup.service.connect().GET('/v1/languages'))
  const language_id = languages.find((language) => language.name === 'Python')?.id
  const ids = { user_id, problem_id: problemId, language_id, event_id: eventId }
  const { id } = await user.post('/v1/submissions', { ...ids, source_code: 'print(1)' })
  await setup.service.judge.patch(`/v1/submissions/${id}`, { status }, 204)
  return { id, name }
}

const selectShadows = unprepared<{ shadow: string }>(
  'select shadow_judging_id::text as shadow from rejudging_items where decision_id = $1',
)

async function judgeAgain(id: string, status: string): Promise<void> {
  for (const { shadow } of await setup.service.database.query(selectShadows, [id]))
    await asAdmin().patch(`/v1/submissions/${shadow}`, { status }, 204)
}

const create = async (...options: string[]): Promise<string> =>
  (await judgeJson(['rejudge', 'create', '--contest', String(eventId), ...options], { env })).id

const cancel = (id: string) => judge(['rejudge', 'cancel', id], { env })

describe('a rejudging', () => {
  it.each([
    [['--problem', 'q'], 2],
    [['--problem', 'sum', '--verdict', 'WRONG_ANSWER'], 1],
    [['--language', 'py', '--user', 'omar'], 1],
  ])('selects submissions with %j', async (options, total) => {
    const id = await create(...options, '--reason', 'test 3')
    expect(await judgeJson(['rejudge', 'show', id], { env })).toMatchObject({ total, reason: 'test 3' })
    expect(await cancel(id)).toEqual({
      ...{ exitCode: 0, stderr: '', stdout: `Cancelled rejudging ${id}. All verdicts stay as they are.\n` },
    })
  })

  it('selects single submissions', async () => {
    const argv = ['rejudge', 'create', '--submission', ...submissions.map(({ id }) => id)]
    const { id } = await judgeJson(argv, { env })
    expect(await judgeJson(['rejudge', 'show', id], { env })).toMatchObject({ total: 2 })
    await cancel(id)
  })

  it('needs a selection, and a problem of the contest', async () => {
    expect(await judge(['rejudge', 'create'], { env })).toMatchObject({ exitCode: 2, stdout: '' })
    const argv = ['rejudge', 'create', '--contest', String(eventId), '--problem', 'Z']
    expect(await judge(argv, { env })).toMatchObject({
      exitCode: 1,
      stderr: `error: Contest ${eventId} has no problem Z. Its problems:\n  Q  Sum (${problemId})\n`,
    })
  })

  it('waits, shows changes and ranks, asks, and applies the verdicts', async () => {
    const id = await create('--verdict', 'WRONG_ANSWER')
    const pending = await judge(['rejudge', 'apply', id, '--yes'], { env })
    expect(pending).toMatchObject({ exitCode: 1, stdout: '' })
    const unasked = await judge(['rejudge', 'apply', id], { env })
    expect(unasked).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('give --yes') })
    const waiting = judge(['rejudge', 'show', id, '--wait'], { env })
    await judgeAgain(id, 'ACCEPTED')
    const { stdout } = await waiting
    const [wrong] = submissions
    expect(stdout).toContain('Judged     1 of 1 submission\nChanged    1 verdict\n')
    expect(stdout).toMatch(new RegExp(`^${wrong?.id} +Nora +Q +WRONG_ANSWER +ACCEPTED$`, 'm'))
    expect(stdout).toMatch(/^Nora +user +2 +1$/m)
    expect(stdout).toContain(`Apply it with: judge rejudge apply ${id}\n`)
    const inTerminal = { env, terminals: ['stdin', 'stderr'] } as const
    const refused = await judge(['rejudge', 'apply', id], { ...inTerminal, stdin: 'n\r' })
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain(`Apply rejudging ${id}? 1 verdict and `)
    const applied = await judge(['rejudge', 'apply', id, '--yes'], inTerminal)
    expect(applied.stdout).toMatch(/^Applied: 1 verdict changed, \d ranks? changed\.\n$/)
    expect((await setup.service.judge.get(`/v1/submissions/${wrong?.id}`)).status).toBe('ACCEPTED')
    expect((await cancel(id)).stderr).toBe('error: The rejudging was applied already\n')
  })

  it('goes on after --timeout', async () => {
    const id = await create('--problem', 'Q')
    const argv = ['rejudge', 'show', id, '--wait', '--timeout', '0.01']
    expect(await judge(argv, { env })).toMatchObject({
      exitCode: 1,
      stderr: `error: There is no result after 0.01 s.\nThe rejudging goes on: judge rejudge show ${id} --wait\n`,
    })
    await cancel(id)
  })
})
