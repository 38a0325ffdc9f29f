import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { running } from '../../../test/support/contests.ts'
import { problemBody } from '../../../test/support/problems.ts'
import { makeTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { until } from '../../../test/support/until.ts'
import { useAdmin } from './support/admin.ts'
import { fails, type Invocation, interruptAtOnce, judge, judgeJson, prints } from './support/command-line.ts'

const admin = await useAdmin()
const { run: runAsAdmin, service } = admin

const submitter = await admin.service.createSubmitter()
const env = { JUDGE_URL: admin.service.url, JUDGE_USER_TOKEN: submitter.token }

const createProblem = async (fields: Record<string, unknown>): Promise<number> =>
  (await admin.root.post('/v1/problems', problemBody({ public: true, ...fields }))).id

async function writeProgram(name: string, source = 'print(1)'): Promise<string> {
  const file = join(await makeTemporaryFolder(), name)
  await writeFile(file, source)
  return file
}

const run = (argv: readonly string[], options: Invocation = {}) =>
  judge(argv, { ...options, env: { ...env, ...options.env } })
const runJson = (argv: readonly string[]) => judgeJson(argv, { env })
const submitTo = async (problem: string, file = 'a.py', ...options: string[]) => [
  ...['submit', await writeProgram(file), '--problem', problem, ...options],
]

const giveVerdict = (id: string, verdict: object) =>
  admin.service.judge.patch(`/v1/submissions/${id}`, verdict, 204)

describe('a submission', () => {
  it('contains the file, and its language comes from the extension', async () => {
    const submission = await runJson(await submitTo('echo'))
    const found = await admin.service.judge.get(`/v1/submissions/${submission.id}`)
    expect(found).toMatchObject({ source_code: 'print(1)', user_id: submitter.id, status: 'PENDING' })
    expect(found.language.name).toBe('Python')
    expect(found.problem_id).toBe(submitter.submission.problem_id)
  })

  it.each([
    ['a.cc', [], 'C++'],
    ['a.CPP', [], 'C++'],
    ['a.txt', ['--language', 'javascript'], 'JavaScript'],
    ['a.txt', ['--language', 'nodejs'], 'JavaScript'],
    ['a.txt', ['--language', 'js'], 'JavaScript'],
  ])('of %s with %s is in %s', async (name, options, language) => {
    const { language_id } = await runJson(await submitTo('echo', name, ...options))
    const languages: { id: string; name: string }[] = await admin.root.get('/v1/languages')
    expect(languages.find(({ id }) => id === language_id)?.name).toBe(language)
  })

  it('of a file without a language, or of a folder, is a usage error', async () => {
    const unknown = /Cannot tell the language of .*a\.txt\. Give --language with one of: C, C\+\+, /
    expect(await run(await submitTo('echo', 'a.txt'))).toMatchObject(fails(2, unknown))
    const folder = await makeTemporaryFolder()
    const stderr = `error: ${folder} is a folder: submit one source file.\n`
    expect(await run(['submit', folder, '--problem', 'echo'])).toMatchObject({ exitCode: 2, stderr })
  })

  it('in a contest finds the problem in the contest, and counts there', async () => {
    const problem_id = await createProblem({ identifier: 'secret-sum', public: false })
    const fields = { title: 'Cup', ...running(), problems: [{ problem_id }] }
    const event = await admin.root.post('/v1/events', fields)
    await submitter.post(`/v1/public/events/${event.id}/register`)
    const argv = await submitTo('secret-sum')
    const stderr = 'error: No problem that you may see has the identifier secret-sum.\n'
    expect(await run(argv)).toMatchObject({ exitCode: 1, stderr })
    const inContest = await runJson([...argv, '--contest', String(event.id)])
    expect(inContest).toMatchObject({ problem_id, event_id: event.id })
  })

  it('to an ambiguous identifier is a usage error with the ids; refusals of the service are shown', async () => {
    const first = await createProblem({ identifier: 'twin', title: 'First' })
    const second = await createProblem({ identifier: 'twin', title: 'Second' })
    const ids = `Use one of these ids:\n  ${first}  First\n  ${second}  Second\n`
    expect(await run(await submitTo('twin'))).toMatchObject(fails(2, ids))
    const refused = { exitCode: 1, stdout: '', stderr: 'error: There is no such problem\n' }
    expect(await run(await submitTo('999999'))).toEqual(refused)
  })
})

describe('waiting for a verdict', () => {
  const submit = async () => (await runJson(await submitTo('echo'))).id

  it('is exit code 0 for ACCEPTED and 1 for other verdicts', async () => {
    const [accepted, wrong] = [await submit(), await submit()]
    const waiting = [accepted, wrong].map((id) => run(['status', id, '--wait']))
    await giveVerdict(accepted, { status: 'ACCEPTED', time_elapsed: 0.25, memory_used: 2000 })
    await giveVerdict(wrong, { status: 'WRONG_ANSWER', reason: 'PRESENTATION_ERROR' })
    const [good, bad] = await Promise.all(waiting)
    const record = /^Submission {2}[0-9a-f-]{36}\nProblem {5}Echo \(\d+\)\nLanguage {4}Python 3\n/
    expect(good).toMatchObject(prints(record))
    expect(good?.stdout).toMatch(/\nVerdict {5}ACCEPTED\nTime {8}0\.25 s\nMemory {6}2 MiB\n$/)
    const verdict = expect.stringContaining('\nVerdict     WRONG_ANSWER (PRESENTATION_ERROR)\n')
    expect(bad).toMatchObject({ exitCode: 1, stdout: verdict })
  })

  it('follows a submission at once', async () => {
    const file = await writeProgram('wait.py', 'print("wait")')
    const waiting = run(['submit', file, '--problem', 'echo', '--wait'])
    const path = `/v1/user_submissions/${submitter.id}`
    const id = await until(async () => {
      const all: { id: string; source_code: string }[] = await submitter.get(path)
      const found = all.find(({ source_code }) => source_code.includes('wait'))
      if (found === undefined) throw new Error('not submitted yet')
      return found.id
    })
    await giveVerdict(id, { status: 'ACCEPTED' })
    expect(await waiting).toMatchObject({ ...prints('ACCEPTED'), stderr: `Submitted: ${id}\n` })
  })

  it('ends with Ctrl-C or after --timeout, and says how to go on', async () => {
    const id = await submit()
    const advice = `The submission goes on: judge status ${id} --wait\n`
    expect(await run(['status', id, '--wait', '--timeout', '0.01'])).toMatchObject({
      ...{ exitCode: 1, stdout: '', stderr: `error: There is no result after 0.01 s.\n${advice}` },
    })
    const interrupts = interruptAtOnce()
    expect(await run(['status', id, '--wait'], { interrupts })).toMatchObject({
      ...{ exitCode: 130, stdout: '', stderr: `error: Stopped.\n${advice}` },
    })
    expect(interrupts.listenerCount('SIGINT')).toBe(0)
  })

  it('shows no control characters of the compiler, and colours only on a terminal without NO_COLOR', async () => {
    const id = await submit()
    await giveVerdict(id, { status: 'COMPILE_TIME_ERROR', stderr: 'line 1:\u001b[2J broken\n' })
    const show = async (options: Invocation) => (await run(['status', id], options)).stdout
    const shown = await show({ terminals: ['stdout'] })
    expect(shown).toContain('\n\nline 1:\ufffd[2J broken\n')
    expect(shown).toContain('\u001b[31mCOMPILE_TIME_ERROR\u001b[39m')
    expect(await show({ terminals: ['stdout'], env: { NO_COLOR: '1' } })).not.toContain('\u001b')
    expect(await show({})).not.toContain('\u001b')
  })
})

describe('problems', () => {
  it('are listed, and shown with their limits and their text', async () => {
    const id = await createProblem({ identifier: 'listed', public: false })
    // A title from before the rule for names.
    const title = 'A\tlong\ntitle \u202Eof \u009B2J'
    await service.database.query(unprepared('update problems set title = $2 where id = $1'), [id, title])
    const { stdout } = await runAsAdmin(['problem', 'list'])
    expect(stdout).toMatch(/^ID +IDENTIFIER +TITLE +DIFFICULTY +VISIBLE\n/)
    expect(stdout).toMatch(new RegExp(`^${id} +listed +A long title \ufffdof \ufffd2J +EASY +private$`, 'm'))
    const json = await runAsAdmin(['problem', 'list', '--json'])
    expect(json.stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
    expect(JSON.parse(json.stdout)).toContainEqual(expect.objectContaining({ id, title }))
    const all = await runJson(['problem', 'list'])
    expect(all.map((problem: { identifier: string }) => problem.identifier)).not.toContain('listed')
    const shown = await createProblem({ identifier: 'shown', prompt: 'Add the numbers.', memory_limit: 64 })
    const text = (await run(['problem', 'show', 'shown'])).stdout
    expect(text).toContain('Memory limit  64 MiB\nTest cases    1, 1 sample\n')
    expect(text).toMatch(/\n\nAdd the numbers\.\n$/)
    expect(await runJson(['problem', 'show', String(shown)])).toMatchObject({ id: shown })
  })

  it('are deleted by admins only, in a terminal after a question with the title', async () => {
    const id = await createProblem({ identifier: 'deleted', title: 'Asked' })
    const argv = ['problem', 'delete', 'deleted']
    expect(await run(argv)).toMatchObject({ exitCode: 1, stdout: '' })
    const terminals = ['stdin', 'stderr'] as const
    const refused = await runAsAdmin(argv, { terminals, stdin: 'n\r' })
    expect(refused).toMatchObject({ ...fails(2, `Delete problem ${id}, "Asked"? [y/N] `), stdout: '' })
    const deleted = await runAsAdmin([...argv, '--yes'], { terminals })
    expect(deleted).toMatchObject({ exitCode: 0, stdout: `Deleted problem ${id}.\n` })
    expect((await runAsAdmin(['problem', 'show', String(id)])).exitCode).toBe(1)
    const other = await createProblem({ identifier: 'other' })
    expect(await runAsAdmin(['problem', 'delete', String(other)])).toMatchObject({ exitCode: 0 })
  })
})

it('languages are listed with their extensions', async () => {
  const { stdout } = await run(['languages'])
  expect(stdout).toMatch(/^LANGUAGE +VERSION +EXTENSION\nC +17 +c\nC\+\+ +17 +cpp\n/)
})
