import { describe, expect, it } from 'vitest'
import { JudgingList } from '../../../src/features/judging/verifications/judging-list.ts'
import { settleVerifications } from '../../../src/features/judging/verifications/settle.ts'
import { serviceWithProblem } from '../../support/judging.ts'
import { onPostgres } from '../../support/needs.ts'
import { startProductionService } from '../../support/production-service.ts'
import { invalid, refusal } from '../../support/refusals.ts'
import { storePackage } from '../../support/stored-package.ts'
import { CHECK, makeVerifiedProblems, RIGHT, SLOW, VALIDATES } from '../../support/verified-problems.ts'

const judging = await serviceWithProblem()
const { service, admin } = judging
const { judgeToken } = service
const { importProblem, findJudging } = makeVerifiedProblems(judging)

const FOLDER = 'submissions/accepted/parts'
const SETTINGS = 'submissions/submissions.yaml'
const FILES = { 'judge-capabilities': 'verification/1, program-files/1' }

const readRecord = async (verification: string, path: string, headers = FILES) =>
  service
    .as(judgeToken)
    .send('GET', `/v1/submissions/${await findJudging(verification, path)}`, undefined, headers)

/** The reported program of a package with nothing else, and its record for judges. */
async function planOne(path: string, files: Readonly<Record<string, string>>, metadata = {}) {
  const problem = await importProblem(files, { metadata })
  const id = await problem.verify()
  const [program, ...others] = (await problem.read(id)).programs
  expect(others).toEqual([])
  if (program.status !== 'PENDING') return { program }
  return { program, record: (await readRecord(id, path)).body }
}

const LONG = { long: { value: 'x'.repeat(1024) } }

const repeat = (text: string) =>
  Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`${i}.txt`, text.repeat(1024)]))

describe('a program of several files', () => {
  it('is judged as its files, with the language, the limits and the constants of the package', async () => {
    const { program, record } = await planOne(
      FOLDER,
      {
        [`${FOLDER}/main.cpp`]: '#include "parts.h"',
        [`${FOLDER}/lib/parts.cc`]: 'int answer() { return {{answer}}; }',
        [`${FOLDER}/parts.h`]: 'int answer();',
        [`${FOLDER}/.clang-format`]: 'none',
      },
      { constants: { answer: { value: 42 } } },
    )
    expect(program).toEqual({ path: FOLDER, language: 'C++', expected: 'ACCEPTED', status: 'PENDING' })
    expect(record).toMatchObject({ source_code: '', run: 'all', language: { name: 'C++' } })
    expect(record.problem).toMatchObject({ execution_timeout: 3.25, accept_timeout: 7.5, memory_limit: 64 })
    expect(record.program).toEqual({
      files: [
        { name: 'lib/parts.cc', content: 'int answer() { return 42; }' },
        { name: 'main.cpp', content: '#include "parts.h"' },
        { name: 'parts.h', content: 'int answer();' },
      ],
      sources: ['lib/parts.cc', 'main.cpp'],
    })
  })

  it.each([
    ['Sum.java', 'import java.util.*;\n\npublic final class Sum {}', ['Sum.java']],
    ['Sum.java', 'class Main {}', undefined],
    ['sum.java', 'public class Main {}', undefined],
    ['Main.java', 'public class Main {}', undefined],
    ['Sum.py', 'public class Sum', undefined],
  ])('keeps its name if a public class of Java has it: %s with %j', async (name, source, sources) => {
    const path = `submissions/accepted/${name}`
    const { record } = await planOne(path, { [path]: source })
    expect(record.program?.sources).toEqual(sources)
    expect(record.source_code).toBe(sources ? '' : source)
  })

  it('starts in the file or class that submissions.yaml names', async () => {
    const planWith = async (names: string[], settings: string) => {
      const files = Object.fromEntries(names.map((name) => [`${FOLDER}/${name}`, '']))
      return (await planOne(FOLDER, { ...files, [SETTINGS]: settings })).record.program
    }
    const python = await planWith(['solve.py', 'main.py'], 'accepted/*:\n  entrypoint: solve.py\n')
    expect(python).toMatchObject({ sources: ['solve.py'] })
    const java = await planWith(['A.java', 'B.java'], 'accepted:\n  entrypoint: B\n')
    expect(java).toMatchObject({ sources: ['A.java', 'B.java'], main_class: 'B' })
  })

  const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`f${i}.cpp`, '']))

  it.each([
    ['files of several languages', { 'main.py': '', 'Main.java': '' }, 'one language: Java, Python'],
    ['too many files', many, '100 files'],
    ['too many bytes', { 'main.py': '', ...repeat('x'.repeat(1024)) }, '4194304 bytes'],
    ['too many bytes in its constants', { 'main.py': '', ...repeat('{{long}}') }, '4194304 bytes'],
  ])('is not judged with %s, and does not count', async (_, files, message) => {
    const contents = Object.entries(files).map(([name, text]) => [`${FOLDER}/${name}`, text])
    const { program } = await planOne(FOLDER, Object.fromEntries(contents), { constants: LONG })
    expect(program).toMatchObject({ status: 'NOT_JUDGED', message: expect.stringContaining(message) })
    expect(program).not.toHaveProperty('agrees')
  })

  it('needs a worker with program-files/1 (409); its other judgings do not', async () => {
    const problem = await importProblem({
      ...{ [RIGHT]: 'print(42)', [CHECK]: 'exit(42)' },
      ...{ [`${FOLDER}/main.py`]: 'import lib', [`${FOLDER}/lib.py`]: 'print(42)' },
    })
    const id = await problem.verify()
    for (const path of [RIGHT, CHECK])
      expect(await readRecord(id, path, VALIDATES), path).toMatchObject({ status: 200 })
    const tooOld = refusal(409, 'WORKER_TOO_OLD', expect.stringContaining('lacks program-files/1:'))
    expect(await readRecord(id, FOLDER, VALIDATES)).toMatchObject(tooOld)
    const url = `/v1/submissions/${await findJudging(id, FOLDER)}`
    const send = (headers: typeof FILES) =>
      service.as(judgeToken).send('PATCH', url, { status: 'ACCEPTED' }, headers)
    expect(await send(VALIDATES)).toMatchObject(tooOld)
    expect(await send(FILES)).toMatchObject({ status: 204 })
    expect(await admin.get(url)).toMatchObject({ status: 'ACCEPTED', program: { sources: ['main.py'] } })
  })
})

describe('a program of one file', () => {
  it('is its source code, also in a folder and if submissions.yaml names a file', async () => {
    const settings = { [SETTINGS]: 'accepted/*:\n  entrypoint: other.py\n' }
    for (const [path, file] of [[RIGHT, RIGHT] as const, [FOLDER, `${FOLDER}/any.py`] as const]) {
      const { record } = await planOne(path, { [file]: 'print(42)', ...settings })
      expect(record, path).toMatchObject({ source_code: 'print(42)', language: { name: 'Python' } })
      expect(record, path).not.toHaveProperty('program')
    }
  })

  it('starts in the class that submissions.yaml names', async () => {
    const path = 'submissions/accepted/Two.java'
    const settings = { [SETTINGS]: 'accepted/*:\n  entrypoint: Second\n' }
    const { record } = await planOne(path, { [path]: 'class First {}', ...settings })
    expect(record.program).toEqual({
      ...{ files: [{ name: 'Two.java', content: 'class First {}' }], sources: ['Two.java'] },
      main_class: 'Second',
    })
  })
})

describe('a verification', () => {
  const planned = (source_code: string) => ({ language_id: 'python', source_code, task: {} })
  const ADDED = { judging: expect.any(String) }
  const FULL = { message: expect.stringContaining('1000 programs and validators of at most 32 MiB') }

  it('judges at most 1,000 programs and validators', () => {
    const list = new JudgingList()
    for (let i = 0; i < 1000; i += 1) expect(list.add(planned(''))).toEqual(ADDED)
    expect(list.add(planned(''))).toEqual(FULL)
    expect(list.all).toHaveLength(1000)
  })

  it('judges at most 32 MiB of programs, and smaller ones after a refused one', () => {
    const list = new JudgingList()
    const half = 'x'.repeat(16 * 1024 * 1024 - 100)
    const added = [half, half, half, 'x'].map((source) => list.add(planned(source)))
    expect(added).toEqual([ADDED, ADDED, FULL, ADDED])
  })

  it('refuses patterns that would keep the service busy in each report (400)', async () => {
    const pattern = `secret/${'*a'.repeat(46)}`
    const files = { [RIGHT]: '', [SETTINGS]: `accepted:\n  "${pattern}": {permitted: AC}` }
    const problem = await importProblem(files, { names: ['sample/1', `secret/${'a'.repeat(600_000)}`] })
    const { message } = await admin.post(problem.url, undefined, invalid)
    expect(message).toContain('submissions/submissions.yaml: it has too many patterns')
  })
})

it('a time limit that does not fit the programs does not agree; one that waited takes the limit', async () => {
  const problem = await importProblem({ [RIGHT]: '', [SLOW]: '' })
  const id = await problem.verify()
  await problem.judge(id, RIGHT, 'ACCEPTED', problem.resultsOf(['ACCEPTED', 1], ['ACCEPTED', 0.1]))
  await problem.judge(id, SLOW, 'TIME_LIMIT_EXCEEDED')
  expect(await problem.read(id)).toMatchObject({
    ...{ status: 'DONE', agrees: false },
    programs: [{ agrees: true }, { agrees: true, slowest_time: 3.25 }],
    time_limit: { fastest_too_slow: 3.25, message: expect.stringContaining('must be at least 2 s') },
  })
})

describe('a provisional time limit', () => {
  const provisional = { timeout_is_provisional: true }
  type Imported = Awaited<ReturnType<typeof importProblem>>
  const judgeRight = (problem: Imported, id: string) =>
    problem.judge(id, RIGHT, 'ACCEPTED', problem.resultsOf(['ACCEPTED', 0.2], ['ACCEPTED', 1.3]))
  const judgeAll = async (problem: Imported, id: string) => {
    await judgeRight(problem, id)
    const slow = problem.resultsOf(['TIME_LIMIT_EXCEEDED', 10], ['ACCEPTED', 1])
    await problem.judge(id, SLOW, 'TIME_LIMIT_EXCEEDED', slow)
  }
  const two = { [RIGHT]: '', [SLOW]: '' }

  it('becomes the computed one after the last verdict, which then decides', async () => {
    const problem = await importProblem(two, provisional)
    const id = await problem.verify()
    const judged = await admin.get(`/v1/submissions/${await findJudging(id, RIGHT)}`)
    expect(judged.problem).toMatchObject({ execution_timeout: 10, accept_timeout: 21 })
    expect(await problem.read(id)).toMatchObject({ time_limit: { seconds: 1.5, provisional: true } })
    await judgeAll(problem, id)
    expect(await problem.readProblem()).toMatchObject({ execution_timeout: 3, accept_timeout: 7 })
    const times = { computed: 3, slowest_accepted: 1.3, fastest_too_slow: 10 }
    expect(await problem.read(id)).toMatchObject({
      ...{ agrees: true, programs: [{ status: 'ACCEPTED' }, { status: 'TIME_LIMIT_EXCEEDED' }] },
      time_limit: { seconds: 3, provisional: false, ...times },
    })
    // A later verdict changes nothing: the limit is no longer provisional.
    await problem.judge(id, RIGHT, 'ACCEPTED')
    expect(await problem.readProblem()).toMatchObject({ execution_timeout: 3 })
  })

  it('stays if no program gives a limit', async () => {
    const problem = await importProblem({ [RIGHT]: '' }, provisional)
    const id = await problem.verify()
    await problem.judge(id, RIGHT, 'WRONG_ANSWER', [])
    expect(await problem.readProblem()).toMatchObject({ execution_timeout: 1.5 })
    const time_limit = { seconds: 1.5, provisional: true, message: expect.any(String) }
    expect(await problem.read(id)).toMatchObject({ time_limit })
  })

  it('is not replaced after an admin has changed it, or the package was replaced', async () => {
    const changed = await importProblem(two, provisional)
    const replaced = await importProblem(two, provisional)
    const ids = [await changed.verify(), await replaced.verify()] as const
    await admin.put(`/v1/problems/${changed.id}`, { execution_timeout: 2.25 })
    await storePackage(service, replaced.id, { files: two, ...provisional })
    await judgeAll(changed, ids[0])
    await judgeAll(replaced, ids[1])
    expect(await changed.readProblem()).toMatchObject({ execution_timeout: 2.25, accept_timeout: 3 })
    expect(await replaced.readProblem()).toMatchObject({ execution_timeout: 1.5 })
  })

  it('is computed later if the process ended after the last verdict, or the last judging was deleted', async () => {
    const problem = await importProblem(two, provisional)
    const id = await problem.verify()
    await judgeRight(problem, id)
    const last = await findJudging(id, SLOW)
    await settleVerifications(service.database)
    expect(await problem.readProblem()).toMatchObject({ execution_timeout: 1.5 })
    await admin.delete(`/v1/admin/shadow_judgings/${last}`, 204)
    await settleVerifications(service.database)
    expect(await problem.readProblem()).toMatchObject({ execution_timeout: 3 })
    expect(await problem.read(id)).toMatchObject({
      ...{ status: 'DONE', agrees: false },
      programs: [{ agrees: true }, { status: 'NOT_JUDGED', agrees: false, message: expect.any(String) }],
    })
  })

  it('is computed when the service starts after a crash', onPostgres, async () => {
    const problem = await importProblem(two, provisional)
    const id = await problem.verify()
    await judgeRight(problem, id)
    // Nothing settles a verification when its last judging is deleted.
    await admin.delete(`/v1/admin/shadow_judgings/${await findJudging(id, SLOW)}`, 204)
    expect(await problem.readProblem()).toMatchObject({ execution_timeout: 1.5 })
    await startProductionService({ DATABASE_URL: service.databaseUrl ?? '' })
    await expect.poll(() => problem.readProblem()).toMatchObject({ execution_timeout: 3 })
  })
})
