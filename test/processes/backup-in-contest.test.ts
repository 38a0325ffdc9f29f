import { expect, it, onTestFinished } from 'vitest'
import { createDatabase } from '../../tools/local-servers/database.ts'
import { recountCells } from '../../verification/recount.ts'
import { running, serviceWithContests } from '../support/contests.ts'
import { databaseKind } from '../support/database.ts'
import { findCommand, hasPostgresClient, runCommand } from '../support/documented-commands.ts'
import { startProductionService } from '../support/production-service.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const canRun = databaseKind === 'postgres' && (hasPostgresClient() || Boolean(process.env.TEST_REQUIRE_ALL))

it.runIf(canRun)('a dump during a contest restores submissions, verdicts and equal standings', async () => {
  const contests = await serviceWithContests()
  const { service, admin, problem, submit, giveVerdict } = contests
  const event = await admin.post(
    '/v1/events',
    { title: 'The exam', ...running(), problems: [{ problem_id: problem.id }] },
    201,
  )
  const people = [await contests.createParticipant(event.id), await contests.createParticipant(event.id)]
  const judged: string[] = []
  let isDumped = false
  const compete = async () => {
    while (!isDumped) {
      for (const [place, person] of people.entries()) {
        const id = await submit(person, { event_id: event.id })
        await giveVerdict(id, judged.length % 3 === place ? 'ACCEPTED' : 'WRONG_ANSWER')
        judged.push(id)
      }
    }
  }
  const competing = compete()
  const folder = await makeTemporaryFolder()
  let before: string[] = []
  try {
    await until(() => expect(judged.length).toBeGreaterThanOrEqual(6))
    before = [...judged]
    await runCommand(findCommand('pg_dump'), folder, { DATABASE_URL: service.databaseUrl ?? '' })
  } finally {
    isDumped = true
    await competing
  }
  const server = process.env.TEST_DATABASE_URL ?? ''
  const { url, database, drop } = await createDatabase(server, 'restored')
  onTestFinished(drop)
  await runCommand(findCommand('pg_restore'), folder, { NEW_DATABASE_URL: url })

  const copy = await startProductionService({ DATABASE_URL: url })
  const read = async (path: string) => (await copy.request('GET', path, { token: admin.token })).body
  for (const id of before)
    expect(await read(`/v1/submissions/${id}`)).toEqual(await admin.get(`/v1/submissions/${id}`))
  const cells = await recountCells(database, event.id)
  expect(cells.map(({ user_id }) => user_id).toSorted()).toEqual(people.map(({ id }) => id).toSorted())
  expect(await read(`/v1/events/${event.id}/attempts`)).toEqual(cells)
})
