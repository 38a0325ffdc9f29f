import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createJudgeClient, type JudgeClient } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { parse } from 'csv-parse/sync'
import { expect } from 'vitest'
import { startJudgeMode } from '../support/judge-mode.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { CHECKOUT, openShell, readServiceVariables } from './session.ts'
import { type Class, type Credential, openClass, readPrograms } from './students.ts'

const ADMIN = 'you@example.org'
const BEFORE_START_MS = 60_000
const CONTEST_MINUTES = 2
const FREEZE_MINUTES = 1
const QUESTIONS = 5
const NAMES = ['rainbarrel', 'countthemirrors', 'receptiondesks', 'risingbalances', 'brokencable']
/** Its right programs are rejected until its test is corrected. */
const WRONG_PROBLEM = 'B'
/** Whole ids, and the short ones of questions. */
const ID = /\b[0-9a-f]{8}(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?\b/g

/** The day of a reader of docs/run-a-contest.md, who types its commands. */
export class Day {
  readonly folder: string
  readonly #variables: Record<string, string>
  readonly #env: Record<string, string>
  readonly #run: ReturnType<typeof openShell>
  #printed = ''
  #staff: JudgeClient | undefined
  #eventId = 0
  #endMs = 0
  #class: Class | undefined
  #scoreboard: { readonly url: string; readonly token: string } | undefined

  private constructor(folder: string, variables: Record<string, string>) {
    this.folder = folder
    this.#variables = { ...variables, DATA_DIR: join(folder, 'database') }
    this.#env = { PATH: `${folder}:${process.env.PATH}`, HOME: folder, ...this.#variables }
    this.#run = openShell(folder, join(folder, 'present-folder'), this.#env)
  }

  /** Prepares a checkout in a new folder. The service starts before the login. */
  static async open(): Promise<Day> {
    const folder = await makeTemporaryFolder()
    for (const entry of await readdir(CHECKOUT))
      if (entry !== '.git') await symlink(join(CHECKOUT, entry), join(folder, entry))
    await symlink(join(CHECKOUT, 'packages/cli/bin/judge.js'), join(folder, 'judge'))
    return new Day(folder, await readServiceVariables())
  }

  /** Waits until the reader would type the command, and does what the page says before it. */
  async prepare(command: string): Promise<void> {
    for (const [pattern, prepare] of this.#preparations) if (pattern.test(command)) await prepare()
  }

  /** Runs a command; resolves to what it prints. */
  async type(command: string): Promise<string> {
    const [id = ''] = this.#printed.match(ID) ?? []
    this.#printed = await this.#run(command.replaceAll(ID, id))
    return this.#printed
  }

  /** The programs that the students have sent. */
  get sent() {
    return this.#students.sent
  }

  /** Reads the standings as the projector does. */
  async readScoreboard(): Promise<ReturnType<typeof JSON.parse>> {
    const { url = '', token: authorization = '' } = this.#scoreboard ?? {}
    return (await fetch(url, { headers: { authorization } })).json()
  }

  readonly #preparations: readonly (readonly [RegExp, () => Promise<unknown>])[] = [
    [/^npm run --silent admin/, () => this.#run('npm run --silent migrate')],
    [/^judge login/, () => this.#startService()],
    [/^judge contest apply --dry-run/, () => this.#setTimes()],
    [/^judge contest announce/, () => this.#openContest()],
    [/^judge contest questions/, () => until(() => this.#expectQuestions())],
    [/^echo 55 >/, () => until(() => this.#expectWrongVerdicts())],
    [/^judge rejudge create/, () => this.#waitForVerdicts()],
    [/^judge contest thaw --next/, () => this.#waitForEnd()],
  ]

  get #students(): Class {
    if (this.#class === undefined) throw new Error('the contest has not begun')
    return this.#class
  }

  get #client(): JudgeClient {
    if (this.#staff === undefined) throw new Error('the service has not started')
    return this.#staff
  }

  async #startService(): Promise<void> {
    const password = /^Password: (\S+)$/m.exec(this.#printed)?.[1] ?? ''
    await writeFile(join(this.folder, 'password.txt'), password)
    const { url } = await startJudgeMode({ ...this.#variables, WORKER_CONCURRENCY: '2' })
    this.#env.JUDGE_URL = url
    this.#staff = createJudgeClient({ baseUrl: url })
    const { token } = await orThrow(this.#staff.POST('/v1/basic_login', { body: { email: ADMIN, password } }))
    this.#staff.setToken(token)
  }

  /** The contest of the test begins soon and lasts two minutes. */
  async #setTimes(): Promise<void> {
    const file = join(this.folder, 'exam/contest.yaml')
    const startMs = Math.ceil((Date.now() + BEFORE_START_MS) / 1000) * 1000
    const start = new Date(startMs).toISOString().replace('.000', '')
    let text = await readFile(file, 'utf8')
    for (const [name, value] of Object.entries({ start, duration: CONTEST_MINUTES, freeze: FREEZE_MINUTES }))
      text = text.replace(new RegExp(`^${name}: .*$`, 'm'), `${name}: ${value}`)
    await writeFile(file, text)
    this.#endMs = startMs + CONTEST_MINUTES * 60_000
  }

  /** The students log in with their passwords, and the contest begins. */
  async #openContest(): Promise<void> {
    const url = this.#env.JUDGE_URL ?? ''
    const [, path = '', token = ''] = /(\/v1\/scoreboard\/\d+)#token=(\S+)/.exec(this.#printed) ?? []
    this.#scoreboard = { url: `${url}${path}/standings`, token }
    this.#eventId = Number(path.split('/').at(-1))
    const folders = NAMES.map(
      (name, i) => ['ABCDE'.charAt(i), join(CHECKOUT, 'demo/problems', name)] as const,
    )
    const programs = await readPrograms(new Map(folders))
    const startMs = this.#endMs - CONTEST_MINUTES * 60_000
    const contest = { url, eventId: this.#eventId, startMs, endMs: this.#endMs, programs }
    this.#class = openClass(contest, await this.#readCredentials())
    await until(async () => expect((await this.readScoreboard()).state).toBe('running'))
  }

  async #readCredentials(): Promise<Credential[]> {
    const exam = join(this.folder, 'exam')
    const [file = '', ...others] = (await readdir(exam)).filter((name) => name.startsWith('credentials-'))
    expect(others).toEqual([])
    const rows: Credential[] = parse(await readFile(join(exam, file)), { bom: true, columns: true })
    return rows.filter(({ email }) => email.endsWith('@students.example.org'))
  }

  async #expectQuestions(): Promise<void> {
    const params = { path: { event_id: this.#eventId } }
    const questions = await orThrow(this.#client.GET('/v1/events/{event_id}/questions', { params }))
    expect(questions.filter(({ is_answered }) => !is_answered)).toHaveLength(QUESTIONS)
  }

  /** Right programs were rejected. */
  async #expectWrongVerdicts(): Promise<void> {
    const verdicts = await this.#readVerdicts()
    const right = this.sent.filter(
      ({ label, deserved }) => label === WRONG_PROBLEM && deserved === 'ACCEPTED',
    )
    const rejected = right.filter(({ id }) => verdicts.get(id) === 'WRONG_ANSWER')
    expect(rejected.length).toBeGreaterThan(2)
  }

  /** Programs that were sent before the test was corrected may be judged with the old test. */
  async #waitForVerdicts(): Promise<void> {
    const before = this.sent.map(({ id }) => id)
    await until(async () => {
      const verdicts = await this.#readVerdicts()
      expect(before.filter((id) => verdicts.get(id) === 'PENDING')).toEqual([])
    })
  }

  async #readVerdicts(): Promise<ReadonlyMap<string, string>> {
    const params = { path: { event_id: this.#eventId } }
    const submissions = await orThrow(this.#client.GET('/v1/events/{event_id}/submissions', { params }))
    return new Map(submissions.map(({ id, status }) => [id, status]))
  }

  /** The contest has ended, and everything is judged. */
  async #waitForEnd(): Promise<void> {
    await this.#students.finished
    const params = { path: { event_id: this.#eventId } }
    await until(async () => {
      const { now, end_time } = await orThrow(this.#client.GET('/v1/events/{event_id}/clock', { params }))
      expect(Date.parse(now)).toBeGreaterThanOrEqual(Date.parse(end_time))
    })
  }
}
