import { expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { running, serviceWithContests } from '../../support/contests.ts'
import type { Problem } from '../../support/judging.ts'
import { onPostgres } from '../../support/needs.ts'
import { invalid, invalidField } from '../../support/refusals.ts'

const { admin, service, createProblem } = await serviceWithContests()

const MIB = 1024 * 1024

const setPrompt = unprepared(`update problems set prompt = repeat('x', $2::integer) where problems.id = $1`)
const setPublicInput = unprepared(
  `update test_cases
   set input = repeat('x', $2::integer)
   where test_cases.problem_id = $1 and not test_cases.hidden`,
)

/** Creates a problem and lengthens its text in the database: older problems may have such texts. */
async function createLong(statement: typeof setPrompt, bytes: number): Promise<Problem> {
  const long = await createProblem()
  await lengthen(statement, bytes, long)
  return long
}

/** Writes without triggers, which would refuse such texts. */
function lengthen(statement: typeof setPrompt, bytes: number, ...problems: Problem[]): Promise<void> {
  return service.database.transaction(async (tx) => {
    await tx.execute('set local session_replication_role = replica')
    for (const { id } of problems) await tx.query(statement, [id, bytes])
  })
}

const eventOf = (...problems: Problem[]) => ({
  ...{ title: 'Long', ...running() },
  problems: problems.map(({ id }) => ({ problem_id: id })),
})

// The embedded database needs 10 s for some of these texts.

it.each([
  ['prompts of more than 64 MiB', setPrompt, 64],
  ['public test cases of more than 128 MiB', setPublicInput, 128],
])('an event cannot get %s together, at once or later (400)', onPostgres, async (_, statement, limit) => {
  const half = (limit / 2 + 1) * MIB
  const [one, other] = [await createLong(statement, half), await createLong(statement, half)]
  await admin.post('/v1/events', eventOf(one, other), invalid)
  const { id } = await admin.post('/v1/events', eventOf(one))
  await admin.post(`/v1/events/${id}/problems`, { problem_id: other.id }, invalid)
  expect((await admin.get(`/v1/public/events/${id}`)).problems).toHaveLength(1)
})

it('an event with longer texts from before is refused, and ends no process (400)', onPostgres, async () => {
  const problems = await Promise.all(Array.from({ length: 9 }, () => createProblem()))
  const { id } = await admin.post('/v1/events', eventOf(...problems))
  await lengthen(setPrompt, 23 * MIB, ...problems)
  await admin.get(`/v1/events/${id}`, invalid)
  for (const problem of problems.slice(1)) await admin.put(`/v1/problems/${problem.id}`, { prompt: 'x' })
  expect((await admin.get(`/v1/events/${id}`)).problems).toHaveLength(9)
})

it('a prompt has at most 1 MiB, and its event no longer prompts by an update (400)', async () => {
  const [long, short] = [await createLong(setPrompt, 63.5 * MIB), await createProblem()]
  await admin.post('/v1/events', eventOf(long, short))
  const url = `/v1/problems/${short.id}`
  await admin.put(url, { prompt: 'x'.repeat(MIB) }, invalid)
  await admin.put(url, { prompt: 'x'.repeat(MIB / 4) })
  await admin.put(`/v1/problems/${long.id}`, { prompt: 'x' })
  await admin.put(url, { prompt: 'x'.repeat(MIB) })
  await admin.put(url, { prompt: `é${'x'.repeat(MIB - 1)}` }, invalidField('prompt'))
})

it('an event cannot get longer public test cases by an update of its problem (400)', onPostgres, async () => {
  const [long, short] = [await createLong(setPublicInput, 127.5 * MIB), await createProblem()]
  await admin.post('/v1/events', eventOf(long, short))
  const update = (hidden: boolean, expected?: typeof invalid) => {
    const test_cases = [{ input: 'x'.repeat(MIB), expected_output: 'y', hidden }]
    return admin.put(`/v1/problems/${short.id}`, { test_cases }, expected)
  }
  await update(false, invalid)
  await update(true)
})
