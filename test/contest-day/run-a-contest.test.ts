import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, it } from 'vitest'
import { readSession } from '../support/console-session.ts'
import { readZip } from '../support/read-zip.ts'
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
  const cells: { pending: number }[] = rows.flatMap((row: { cells: object[] }) => row.cells)
  expect(cells.filter(({ pending }) => pending > 0)).not.toEqual([])
}

/** The archive has every program with the verdict that it deserves, and the right standings. */
async function checkArchive(day: Day): Promise<void> {
  const files = await readArchive(join(day.folder, 'exam/exam.zip'))
  const read = (name: string) => JSON.parse(files.get(name) ?? 'null')
  const archived: Archived[] = parse(files.get('submissions.csv') ?? '', { bom: true, columns: true })
  const verdicts = archived.map(({ id, user_id, problem, verdict }) => ({
    ...{ id, author: user_id, label: problem, deserved: verdict },
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
  const isAnswered = ({ answer }: { answer?: string }) => answer !== undefined
  expect(read('questions.json').filter(isAnswered)).toHaveLength(1)
}

/** A row of `submissions.csv`. */
type Archived = Readonly<Record<'id' | 'user_id' | 'problem' | 'submitted' | 'verdict' | 'file', string>>

/** The files of an archive, by their names without the top folder. */
async function readArchive(file: string): Promise<ReadonlyMap<string, string>> {
  const files = Object.entries(await readZip(await readFile(file)))
  return new Map(files.map(([name, content]) => [name.slice(name.indexOf('/') + 1), content]))
}

/** `last` is the minute of the last first accepted submission. */
const NOTHING = { solved: 0, penalty: 0, last: 0 }
type Result = Readonly<typeof NOTHING>

/**
 * Counts solved problems and penalty from the archived submissions alone, for a contest without
 * points: 20 minutes for each rejected submission before the first accepted one.
 */
function recount(submissions: readonly Archived[], start: string): Map<string, Result> {
  const results = new Map<string, Result>()
  const inTime = submissions.toSorted((one, other) => Date.parse(one.submitted) - Date.parse(other.submitted))
  const cells = new Set(inTime.map(({ user_id, problem }) => `${user_id} ${problem}`))
  for (const key of cells) {
    const inOrder = inTime.filter(({ user_id, problem }) => `${user_id} ${problem}` === key)
    const first = inOrder.findIndex(({ verdict }) => verdict === 'ACCEPTED')
    if (first < 0) continue
    const accepted = Date.parse(inOrder[first]?.submitted ?? '')
    const minutes = Math.floor((accepted - Date.parse(start)) / 60_000)
    const [user = ''] = key.split(' ')
    const { solved, penalty, last } = results.get(user) ?? NOTHING
    results.set(user, {
      ...{ solved: solved + 1, penalty: penalty + minutes + 20 * first },
      last: Math.max(last, minutes),
    })
  }
  return results
}

/** The place of a result: people with the same result share it. */
function placeOf(result: Result, all: readonly Result[]): number {
  const isBefore = (other: Result) =>
    other.solved - result.solved || result.penalty - other.penalty || result.last - other.last
  return 1 + all.filter((other) => isBefore(other) > 0).length
}
