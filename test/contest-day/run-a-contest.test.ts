import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readSession } from '../support/console-session.ts'
import { NOTHING, placeOf, readArchive, readRows, recount } from './archive.ts'
import { Day } from './day.ts'
import { blur, PAGE, patternOf } from './session.ts'

const PEOPLE = 80
const STAFF = 2

it('docs/run-a-contest.md works as written: 80 people, a wrong test corrected, a thaw and an archive', async () => {
  const day = await Day.open()
  const others: string[] = []
  for (const { command, output } of await readSession(PAGE)) {
    await day.prepare(command)
    if (command.startsWith('judge contest thaw --next')) await expectFreeze(day)
    const printed = await day.type(command)
    if (!patternOf(output).test(`${blur(printed)}\n`)) others.push(`$ ${command}\n${printed}`)
  }
  expect(others.join('\n'), 'other output than on the page').toBe('')
  const slips = await readFile(join(day.folder, 'exam/slips.html'), 'utf8')
  expect(slips.match(/@students\.example\.org/g)).toHaveLength(PEOPLE)
  expect(slips.match(/>http:\/\/192\.0\.2\.10:5000\/v1\/contest\/1</g)).toHaveLength(PEOPLE + STAFF)
  await checkArchive(day)
})

/** The projector shows results since the freeze as pending. */
async function expectFreeze(day: Day): Promise<void> {
  const { state, rows } = await day.readScoreboard()
  expect(state).toBe('frozen')
  const pending = rows.flatMap(({ cells }: { cells: { pending: number }[] }) =>
    cells.filter((cell) => cell.pending > 0),
  )
  expect(pending.length).toBeGreaterThan(0)
}

/** The archive has every program with the verdict that it deserves, and the right standings. */
async function checkArchive(day: Day): Promise<void> {
  const files = await readArchive(join(day.folder, 'exam/exam.zip'))
  const read = (name: string) => JSON.parse(files.get(name) ?? 'null')
  const archived = readRows(files.get('submissions.csv'))
  const verdicts = archived.map(({ id, user_id, problem, verdict }) => ({
    id,
    author: user_id,
    label: problem,
    deserved: verdict,
  }))
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)
  expect(verdicts.sort(byId)).toEqual([...day.sent].sort(byId))
  expect(day.sent).toHaveLength(2 * PEOPLE)
  for (const { file } of archived) expect(files.get(file), file).toBeTruthy()
  const { rows, state } = read('standings.json')
  expect({ state, people: rows.length }).toEqual({ state: 'ended', people: PEOPLE })
  const results = recount(archived, read('contest.json').start_time)
  const all = rows.map(({ user }: { user: { id: string } }) => results.get(user.id) ?? NOTHING)
  for (const [place, { user, rank, solved, penalty }] of rows.entries()) {
    const result = all[place]
    const expected = { rank: placeOf(result, all), solved: result.solved, penalty: result.penalty }
    expect({ rank, solved, penalty }, user.name).toEqual(expected)
    expect(rank).toBeGreaterThanOrEqual(rows[place - 1]?.rank ?? 1)
  }
  expect(await day.readScoreboard()).toMatchObject({ rows })
  expect(read('participants.json')).toHaveLength(PEOPLE)
  expect(read('announcements.json')).toHaveLength(1)
  expect(
    read('questions.json').filter(({ answer }: { answer?: string }) => answer !== undefined),
  ).toHaveLength(1)
}
