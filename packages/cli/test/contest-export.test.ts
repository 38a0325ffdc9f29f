import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { isoIn, over, running } from '../../../test/support/contests.ts'
import { problemBody } from '../../../test/support/problems.ts'
import { readZip } from '../../../test/support/read-zip.ts'
import { makeTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import * as troubles from '../../client/test/support/troubled-server.ts'
import { useAdmin } from './support/admin.ts'
import { interruptAtOnce } from './support/command-line.ts'

const setup = await useAdmin()
const { run } = setup

const NAMES = ['../../evil', 'a/b', 'a:b', '=1+1', 'CON', 'Ünal Ž', 'x'.repeat(200)]
const PASSWORD = 'a very secret password'

const register = async (name: string, i: number) => {
  const body = { name, email: `person-${i}@example.org`, password: PASSWORD }
  return { ...(await setup.service.anonymous.post('/v1/basic_register', body)), name }
}

async function createContest(): Promise<number> {
  const admin = setup.root
  const problems = await Promise.all(['../up', 'con', undefined].map(createProblem))
  const event = await admin.post('/v1/events', {
    ...{ title: '../Exam: "final"', clarifications: 'staff', teams: true },
    ...{ ...running(), freeze_time: isoIn(-30) },
    problems: problems.map(({ id, label }) => ({ problem_id: id, ...(label && { label }) })),
  })
  const [python, cpp] = await Promise.all(['Python', 'C++'].map(findLanguage))
  for (const person of people) {
    const user = setup.service.as(person.token)
    await user.post(`/v1/public/events/${event.id}/register`)
    for (const [i, { id: problem_id }] of problems.entries())
      for (const [n, status] of [...'WAP'].entries()) {
        const language_id = i === 1 && n === 2 ? cpp : python
        const source_code = `print("${i} ${status} ${person.name}")`
        const ids = { user_id: person.id, problem_id, language_id, event_id: event.id }
        const { id } = await user.post('/v1/submissions', { ...ids, source_code })
        const verdict = { W: 'WRONG_ANSWER', A: 'ACCEPTED' }[status]
        const judged = { status: verdict, time_elapsed: 0.5, memory_used: 9 }
        if (verdict) await setup.service.judge.patch(`/v1/submissions/${id}`, judged, 204)
      }
  }
  const [first] = people
  const user = setup.service.as(first?.token ?? '')
  await user.post(`/v1/events/${event.id}/teams`, { name: '@team' })
  await user.post(`/v1/events/${event.id}/questions`, { question: 'Announcement' })
  await admin.post(`/v1/events/${event.id}/announcements`, { announcement: 'Lunch.' })
  await admin.delete(`/v1/events/${event.id}/participants/${people.at(-1)?.id}`, 204)
  return event.id
}

const createProblem = async (label: string | undefined, i: number) => {
  const body = problemBody({ title: `Problem ${i}`, identifier: `problem-${i}`, public: true })
  return { id: (await setup.root.post('/v1/problems', body)).id, label }
}

async function findLanguage(name: string): Promise<string> {
  const languages: { id: string; name: string }[] = await setup.root.get('/v1/languages')
  return languages.find((language) => language.name === name)?.id ?? ''
}

const people: { readonly id: string; readonly name: string; readonly token: string }[] = []
for (const [i, name] of NAMES.entries()) people.push(await register(name, i))
const eventId = await createContest()

const selectSubmissions = unprepared<{ id: string; source_code: string; status: string; user_id: string }>(
  `select id::text, source_code, status, user_id::text from submissions
   where event_id = $1 order by submit_time, id`,
)

const readCsv = (content = '', bom = true): Record<string, string>[] => parse(content, { bom, columns: true })

describe('the archive of a contest', async () => {
  const top = `Exam_final-${eventId}`
  const folder = await makeTemporaryFolder()
  const exported = await run(['contest', 'export', String(eventId), '-o', folder])
  const file = join(folder, `${top}.zip`)
  const files = await readZip(await readFile(file))

  it('is one file, which only its owner can read', async () => {
    const stdout = expect.stringMatching(/\(63 submissions, 6 participants, [\d.]+ kB\)\.\n$/)
    expect(exported).toEqual({ exitCode: 0, stderr: '', stdout })
    expect(await readdir(folder)).toEqual([`${top}.zip`])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  const read = (path: string) => files[`${top}/${path}`] ?? ''
  const list = (folder: string) =>
    Object.keys(files)
      .filter((name) => name.startsWith(`${top}/${folder}/`))
      .map((name) => name.slice(top.length + 1))

  it('has every submission with its source and its verdict', async () => {
    const stored = await setup.service.database.query(selectSubmissions, [eventId])
    const rows = readCsv(read('submissions.csv'))
    const archived = rows.map(({ id, user_id, verdict, file = '' }) => [id, user_id, verdict, read(file)])
    expect(archived).toEqual(stored.map((one) => [one.id, one.user_id, one.status, one.source_code]))
    expect(list('submissions').sort()).toEqual(rows.map(({ file }) => file).sort())
    const [first] = rows
    const details = { seconds: '0.5', memory_kib: '9', score: '', problem: '../up', language: 'Python' }
    expect(first).toMatchObject(details)
    expect(rows.at(-1)).toMatchObject({ verdict: 'PENDING', seconds: '', memory_kib: '', problem: 'C' })
    expect(rows.filter(({ user }) => user === "'=1+1")).toHaveLength(9)
  })

  it('has only paths that stay in its folder, and differ in more than upper and lower case', () => {
    const names = Object.keys(files)
    expect(names.filter((name) => posix.normalize(name) !== name || !name.startsWith(`${top}/`))).toEqual([])
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)
    for (const part of names.flatMap((name) => name.split('/'))) {
      expect(part).toMatch(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}_.-]*$/u)
      expect(part).not.toMatch(/^(con|prn|aux|nul)(\.|$)/i)
      expect(part.length).toBeLessThan(100)
    }
  })

  it('has one file per person for checkers: the last accepted one, else the last', () => {
    const paths = list('plagiarism').filter((path) => !path.endsWith('.csv'))
    for (const [folder, status, number] of [
      ['plagiarism/up/python/', 'A', 7],
      ['plagiarism/con_/python/', 'A', 7],
      ['plagiarism/con_/cpp/', 'P', 7],
      ['plagiarism/C/python/', 'A', 7],
    ] as const) {
      const own = paths.filter((path) => path.startsWith(folder))
      expect(own).toHaveLength(number)
      for (const path of own) {
        expect(path).toMatch(/\/[^/]+-[0-9a-f]{8}\/solution\.(py|cpp)$/)
        expect(read(path)).toMatch(new RegExp(`^print\\("\\d ${status} `))
      }
      const rows = readCsv(read(`${folder.slice(0, -1)}.csv`), false)
      expect(rows.map(({ filename }) => posix.join(folder, '..', filename ?? '')).sort()).toEqual(own.sort())
      expect(rows.find(({ full_name }) => full_name === '../../evil')?.label).toBe("'@team")
    }
    expect(paths).toHaveLength(28)
  })

  it('has what staff reads: standings, also of teams, people, teams, questions and announcements', async () => {
    const expectSame = async (name: string, path: string) =>
      expect(JSON.parse(read(name))).toEqual(await setup.root.get(`/v1/events/${eventId}/${path}`))
    await expectSame('standings.json', 'standings')
    await expectSame('standings-teams.json', 'standings?by=team')
    await expectSame('participants.json', 'participants')
    expect(readCsv(read('standings.csv')).map(({ solved }) => solved)).toEqual(Array(6).fill('3'))
    expect(readCsv(read('standings-teams.csv')).map(({ name }) => name)).toEqual(["'@team"])
    const safe = NAMES.slice(0, -1).map((name) => (name === '=1+1' ? "'=1+1" : name))
    const participants = readCsv(read('participants.csv')).map(({ name }) => name)
    expect(participants.sort()).toEqual(safe.sort())
    const evil = { name: '../../evil' }
    expect(JSON.parse(read('teams.json'))).toMatchObject([{ name: '@team', members: [evil] }])
    expect(JSON.parse(read('questions.json'))).toMatchObject([{ user: evil }])
    expect(JSON.parse(read('announcements.json'))).toMatchObject([{ answer: 'Lunch.' }])
    expect(JSON.parse(read('contest.json'))).toMatchObject({ id: eventId, problems: [{}, {}, {}] })
  })

  it('has no passwords and no tokens', () => {
    const all = Object.values(files).join('\n')
    const tokens = [setup.env.JUDGE_USER_TOKEN, ...people.map(({ token }) => token)]
    for (const secret of [PASSWORD, 'password_hash', '$argon2', ...tokens]) expect(all).not.toContain(secret)
  })
})

describe('an export', () => {
  const exportTo = (path: string, ...options: string[]) => [
    ...['contest', 'export', String(eventId), '-o', path, ...options],
  ]

  it('replaces a file only with --force', async () => {
    const file = join(await makeTemporaryFolder(), 'exam.zip')
    await writeFile(file, 'old')
    const stderr = `error: ${file} exists already. To replace it: --force\n`
    expect(await run(exportTo(file))).toMatchObject({ exitCode: 2, stderr })
    const document = await setup.runJson(exportTo(file, '--force'))
    const bytes = (await stat(file)).size
    expect(document).toMatchObject({ contest_id: eventId, file, submissions: 63, bytes })
    expect(Object.keys(await readZip(await readFile(file))).length).toBeGreaterThan(63)
  })

  it('leaves no file after Ctrl-C, and is for admins only', async () => {
    const folder = await makeTemporaryFolder()
    const { exitCode, stderr } = await run(exportTo(folder), { interrupts: interruptAtOnce() })
    expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: 'error: Stopped.\nNo file was written.\n' })
    const own = { JUDGE_USER_TOKEN: people[0]?.token ?? '' }
    expect(await run(exportTo(folder), { env: own })).toMatchObject({ exitCode: 1 })
    expect(await readdir(folder)).toEqual([])
  })

  it('marks those who registered after the end, not those whom staff added or hid', async () => {
    const { id } = await setup.root.post('/v1/events', { title: 'Ended', ...over() })
    const url = `/v1/events/${id}/participants`
    const [late, added, tester] = people
    await setup.service.as(late?.token ?? '').post(`/v1/public/events/${id}/register`)
    await setup.root.post(url, { user_id: added?.id })
    await setup.root.put(`${url}/${tester?.id}`, { hidden: true })
    const file = join(await makeTemporaryFolder(), 'ended.zip')
    await setup.runJson(['contest', 'export', String(id), '-o', file])
    const files = await readZip(await readFile(file))
    const read = (path: string) => files[`Ended-${id}/${path}`] ?? ''
    const marks = { [late?.name ?? '']: 'late', [added?.name ?? '']: '', [tester?.name ?? '']: '' }
    const rows = readCsv(read('participants.csv'))
    expect(Object.fromEntries(rows.map(({ name, late }) => [name, late]))).toEqual(marks)
    const listed: { name: string; late?: true }[] = JSON.parse(read('participants.json'))
    expect(Object.fromEntries(listed.map(({ name, late }) => [name, late ? 'late' : '']))).toEqual(marks)
  })

  it('goes on after 429 and broken connections', async (context) => {
    const busy = troubles.refuseWith(429, 'RATE_LIMITED', { 'retry-after': '0' })
    const proxy = await setup.startProxy(context, busy, troubles.breakConnection)
    const argv = exportTo(join(await makeTemporaryFolder(), 'exam.zip'), '--url', proxy.url)
    expect(await setup.runJson(argv)).toMatchObject({ submissions: 63 })
  })
})
