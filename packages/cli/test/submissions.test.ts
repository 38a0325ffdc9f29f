import { EventEmitter } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { orThrow } from '@judge-data-layer/client/errors'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { type Submitter, useService } from '../../client/test/support/listening-app.ts'
import { judge, judgeJson } from './support/command-line.ts'

const setup = useService()

let submitter: Submitter
let env: Record<string, string>
let adminEnv: Record<string, string>
beforeAll(async () => {
  const { service } = setup
  submitter = await service.createSubmitter()
  env = { JUDGE_URL: service.url, JUDGE_USER_TOKEN: submitter.token }
  const admin = await service.createPerson({ admin: true })
  adminEnv = { ...env, JUDGE_USER_TOKEN: admin.token }
})

const createProblem = async (fields: Record<string, unknown>): Promise<number> => {
  const body = { title: 'Sum', prompt: 'Add.', difficulty: 'EASY', public: true, ...fields }
  const tests = { test_cases: [{ input: '1', expected_output: '1' }] }
  return (await setup.service.as(adminEnv.JUDGE_USER_TOKEN ?? '').post('/v1/problems', { ...body, ...tests }))
    .id
}

async function writeProgram(name: string, source = 'print(1)'): Promise<string> {
  const file = join(await makeTemporaryFolder(), name)
  await writeFile(file, source)
  return file
}

const giveVerdict = (id: string, verdict: object) =>
  setup.service.judge.patch(`/v1/submissions/${id}`, verdict, 204)

describe('a submission', () => {
  it('contains the file, and its language comes from the extension', async () => {
    const submission = await judgeJson(['submit', await writeProgram('a.py'), '--problem', 'echo'], { env })
    const found = await setup.service.judge.get(`/v1/submissions/${submission.id}`)
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
    const argv = ['submit', await writeProgram(name), '--problem', 'echo', ...options]
    const { language_id } = await judgeJson(argv, { env })
    const languages = await orThrow(setup.service.connect().GET('/v1/languages'))
    expect(languages.find(({ id }) => id === language_id)?.name).toBe(language)
  })

  it('of a file without a language is a usage error that lists the languages', async () => {
    const file = await writeProgram('a.txt')
    const { exitCode, stderr } = await judge(['submit', file, '--problem', 'echo'], { env })
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/Cannot tell the language of .*a\.txt\. Give --language with one of: C, C\+\+, /)
  })

  it('of a folder is a usage error', async () => {
    const folder = await makeTemporaryFolder()
    const { exitCode, stderr } = await judge(['submit', folder, '--problem', 'echo'], { env })
    expect({ exitCode, stderr }).toEqual({
      ...{ exitCode: 2, stderr: `error: ${folder} is a folder: submit one source file.\n` },
    })
  })

  it('in a contest finds the problem in the contest, and counts there', async () => {
    const { service } = setup
    const admin = service.as(adminEnv.JUDGE_USER_TOKEN ?? '')
    const problem_id = await createProblem({ identifier: 'secret-sum', public: false })
    const times = { start_time: '2020-01-01T00:00:00Z', end_time: '2100-01-01T00:00:00Z' }
    const event = await admin.post('/v1/events', {
      ...{ title: 'Cup', description: 'A cup.', public: true, ...times },
    })
    await admin.post(`/v1/events/${event.id}/problems`, { problem_id })
    await service.as(submitter.token).post(`/v1/public/events/${event.id}/register`)
    const argv = ['submit', await writeProgram('a.py'), '--problem', 'secret-sum']
    const { exitCode, stderr } = await judge(argv, { env })
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: 'error: No problem that you may see has the identifier secret-sum.\n',
    })
    expect(await judgeJson([...argv, '--contest', String(event.id)], { env })).toMatchObject({
      ...{ problem_id, event_id: event.id },
    })
  })

  it('to an ambiguous identifier is a usage error with the ids', async () => {
    const ids = [
      await createProblem({ identifier: 'twin', title: 'First' }),
      await createProblem({ identifier: 'twin', title: 'Second' }),
    ]
    const file = await writeProgram('a.py')
    const { exitCode, stderr } = await judge(['submit', file, '--problem', 'twin'], { env })
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`Use one of these ids:\n  ${ids[0]}  First\n  ${ids[1]}  Second\n`)
  })

  it('that the service refuses shows the message of the service', async () => {
    const file = await writeProgram('a.py')
    const { exitCode, stdout, stderr } = await judge(['submit', file, '--problem', '999999'], { env })
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toBe('error: There is no such problem\n')
  })
})

describe('waiting for a verdict', () => {
  const submit = async () =>
    (await judgeJson(['submit', await writeProgram('a.py'), '--problem', 'echo'], { env })).id

  it('is exit code 0 for ACCEPTED and 1 for other verdicts', async () => {
    const [accepted, wrong] = [await submit(), await submit()]
    const waiting = [accepted, wrong].map((id) => judge(['status', id, '--wait'], { env }))
    await giveVerdict(accepted, { status: 'ACCEPTED', time_elapsed: 0.25, memory_used: 2000 })
    await giveVerdict(wrong, { status: 'WRONG_ANSWER' })
    const [good, bad] = await Promise.all(waiting)
    expect(good?.exitCode).toBe(0)
    expect(good?.stdout).toMatch(
      /^Submission {2}[0-9a-f-]{36}\nProblem {5}Echo \(\d+\)\nLanguage {4}Python 3\n/,
    )
    expect(good?.stdout).toMatch(/\nVerdict {5}ACCEPTED\nTime {8}0\.25 s\nMemory {6}2 MiB\n$/)
    expect(bad?.exitCode).toBe(1)
    expect(bad?.stdout).toContain('WRONG_ANSWER')
  })

  it('follows a submission at once', async () => {
    const argv = ['submit', await writeProgram('wait.py', 'print("wait")'), '--problem', 'echo', '--wait']
    const waiting = judge(argv, { env })
    const find = async (): Promise<string> => {
      const { data = [] } = await submitter.client.GET('/v1/user_submissions/{user_id}', {
        params: { path: { user_id: submitter.id } },
      })
      return data.find(({ source_code }) => source_code.includes('wait'))?.id ?? (await find())
    }
    const id = await find()
    await giveVerdict(id, { status: 'ACCEPTED' })
    const { stdout, stderr } = await waiting
    expect(stdout).toContain('ACCEPTED')
    expect(stderr).toBe(`Submitted: ${id}\n`)
  })

  it('ends with Ctrl-C or after --timeout, and says how to go on', async () => {
    const id = await submit()
    const advice = `The submission goes on: judge status ${id} --wait\n`
    expect(await judge(['status', id, '--wait', '--timeout', '0.01'], { env })).toMatchObject({
      ...{ exitCode: 1, stdout: '', stderr: `error: There is no result after 0.01 s.\n${advice}` },
    })
    const interrupts = new EventEmitter()
    interrupts.once('newListener', () => setImmediate(() => interrupts.emit('SIGINT')))
    expect(await judge(['status', id, '--wait'], { env, interrupts })).toMatchObject({
      ...{ exitCode: 130, stdout: '', stderr: `error: Stopped.\n${advice}` },
    })
    expect(interrupts.listenerCount('SIGINT')).toBe(0)
  })

  it('shows the messages of the compiler, without control characters', async () => {
    const id = await submit()
    await giveVerdict(id, { status: 'COMPILE_TIME_ERROR', stderr: 'line 1:\u001b[2J broken\n' })
    const { exitCode, stdout } = await judge(['status', id], { env, terminals: ['stdout'] })
    expect(exitCode).toBe(0)
    expect(stdout).toContain('\n\nline 1:\ufffd[2J broken\n')
  })

  it('uses colours only on a terminal and without NO_COLOR', async () => {
    const id = await submit()
    await giveVerdict(id, { status: 'ACCEPTED' })
    const show = async (options: object) => (await judge(['status', id], { env, ...options })).stdout
    expect(await show({ terminals: ['stdout'] })).toContain('\u001b[32mACCEPTED\u001b[39m')
    expect(await show({ terminals: ['stdout'], env: { ...env, NO_COLOR: '1' } })).not.toContain('\u001b')
    expect(await show({})).not.toContain('\u001b')
  })
})

describe('problems', () => {
  it('are listed as a table and as a document', async () => {
    const id = await createProblem({ identifier: 'listed', title: 'A\tlong\ntitle', public: false })
    const { stdout } = await judge(['problem', 'list'], { env: adminEnv })
    expect(stdout).toMatch(/^ID +IDENTIFIER +TITLE +DIFFICULTY +VISIBLE\n/)
    expect(stdout).toMatch(new RegExp(`^${id} +listed +A long title +EASY +private$`, 'm'))
    const all = await judgeJson(['problem', 'list'], { env })
    expect(all.map((problem: { identifier: string }) => problem.identifier)).not.toContain('listed')
  })

  it('are shown with their limits and their text', async () => {
    const id = await createProblem({ identifier: 'shown', prompt: 'Add the numbers.', memory_limit: 64 })
    const { stdout } = await judge(['problem', 'show', 'shown'], { env })
    expect(stdout).toContain('Memory limit  64 MiB\nTest cases    1, 1 sample\n')
    expect(stdout).toMatch(/\n\nAdd the numbers\.\n$/)
    expect(await judgeJson(['problem', 'show', String(id)], { env })).toMatchObject({ id })
  })

  it('are deleted by admins only', async () => {
    const id = await createProblem({ identifier: 'deleted' })
    const refused = await judge(['problem', 'delete', 'deleted'], { env })
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    const { exitCode, stdout } = await judge(['problem', 'delete', 'deleted'], { env: adminEnv })
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `Deleted problem ${id}.\n` })
    expect((await judge(['problem', 'show', String(id)], { env: adminEnv })).exitCode).toBe(1)
  })
})

describe('a deletion in a terminal', () => {
  it('asks with the title, unless --yes is given', async () => {
    const id = String(await createProblem({ identifier: 'asked', title: 'Asked' }))
    const argv = ['problem', 'delete', id]
    const inTerminal = { env: adminEnv, terminals: ['stdin', 'stderr'] } as const
    const refused = await judge(argv, { ...inTerminal, stdin: 'n\r' })
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain(`Delete problem ${id}, "Asked"? [y/N] `)
    const { exitCode } = await judge([...argv, '--yes'], inTerminal)
    expect(exitCode).toBe(0)
  })
})

describe('languages', () => {
  it('are listed with their extensions', async () => {
    const { stdout } = await judge(['languages'], { env })
    expect(stdout).toMatch(/^LANGUAGE +VERSION +EXTENSION\nC +17 +c\nC\+\+ +17 +cpp\n/)
  })
})
