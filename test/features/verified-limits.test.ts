import { describe, expect, it } from 'vitest'
import { settleVerifications } from '../../src/features/verifications/settle.ts'
import { serviceWithProblem } from '../support/judging.ts'
import { onPostgres } from '../support/needs.ts'
import { startProductionService } from '../support/production-service.ts'
import { storePackage } from '../support/stored-package.ts'
import { CASE_NAMES, makeVerifiedProblems, RIGHT, SLOW } from '../support/verified-problems.ts'

const judging = await serviceWithProblem()
const { service, admin } = judging
const { database } = service
const { importProblem, findJudging } = makeVerifiedProblems(judging)

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
    expect(await problem.read(id)).toMatchObject({
      ...{ agrees: true, programs: [{ status: 'ACCEPTED' }, { status: 'TIME_LIMIT_EXCEEDED' }] },
      time_limit: {
        seconds: 3,
        provisional: false,
        computed: 3,
        slowest_accepted: 1.3,
        fastest_too_slow: 10,
      },
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
    expect(await problem.read(id)).toMatchObject({
      time_limit: { seconds: 1.5, provisional: true, message: expect.any(String) },
    })
  })

  it('is not replaced after an admin has changed it, or the package was replaced', async () => {
    const changed = await importProblem(two, provisional)
    const replaced = await importProblem(two, provisional)
    const ids = [await changed.verify(), await replaced.verify()] as const
    await admin.put(`/v1/problems/${changed.id}`, { execution_timeout: 2.25 })
    await storePackage(service, replaced.id, { files: two, names: CASE_NAMES, ...provisional })
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
    await settleVerifications(database)
    expect(await problem.readProblem()).toMatchObject({ execution_timeout: 1.5 })
    await admin.delete(`/v1/admin/shadow_judgings/${last}`, 204)
    await settleVerifications(database)
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
