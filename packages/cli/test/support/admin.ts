import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isoIn } from '../../../../test/support/contests.ts'
import { makeTemporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { useService } from '../../../client/test/support/listening-app.ts'
import { type Invocation, judge, judgeJson } from './command-line.ts'
import { writeFiles } from './write-files.ts'

/** Gives a file's tests a service, and an admin who runs commands there. */
export async function useAdmin(variables?: Record<string, string>) {
  const { service, startProxy } = await useService(variables)
  const { token } = await service.createPerson({ admin: true })
  const env: Record<string, string> = { TZ: 'UTC', JUDGE_URL: service.url, JUDGE_USER_TOKEN: token }
  const here = (options: Invocation = {}) => ({ ...options, env: { ...env, ...options.env } })
  return {
    ...{ service, startProxy, env },
    root: service.as(token),
    /** Runs a command as the admin; `env` replaces single variables. */
    run: (argv: readonly string[], options?: Invocation) => judge(argv, here(options)),
    runJson: (argv: readonly string[], options?: Invocation, exitCode = 0) =>
      judgeJson(argv, here(options), exitCode),
    register: (name: string, password = 'a long password'): Promise<{ id: string; token: string }> =>
      service.anonymous.post('/v1/basic_register', { name, email: `${name}@example.org`, password }),
    /** The environment of a user without privileges. */
    async asUser(): Promise<Invocation> {
      return { env: { JUDGE_USER_TOKEN: (await service.createPerson()).token } }
    },
    /** Resolves to the status. */
    async logIn(email: string, password: string): Promise<number> {
      return (await service.anonymous.send('POST', '/v1/basic_login', { email, password })).status
    },
  }
}

/** Gives tests a service, and an admin who applies contest files and runs `judge contest`. */
export async function useContestAdmin() {
  const admin = await useAdmin()
  const contest = (argv: readonly string[], options?: Invocation) => admin.run(['contest', ...argv], options)
  const apply = (folder: ContestFolder, ...options: readonly string[]) =>
    contest(['apply', folder.path, ...options])
  const readOf = async (folder: ContestFolder, path: string) =>
    admin.root.get(path.replace('ID', String(await readId(folder))))
  return {
    ...{ ...admin, contest, apply },
    readEvent: (folder: ContestFolder) => readOf(folder, '/v1/public/events/ID'),
    readProblems: (folder: ContestFolder) => readOf(folder, '/v1/events/ID/problems'),
    /** The names of the participants, sorted: they join in any order. */
    async readPeople(folder: ContestFolder): Promise<string[]> {
      const people: { name: string }[] = await readOf(folder, '/v1/public/events/ID/participants')
      return people.map(({ name }) => name).sort()
    },
    /** Applies a contest that runs. `submit` submits and gives the verdict; resolves to the id. */
    async startContest(name: string, fields: Record<string, string> = {}) {
      const folder = await makeContestFolder(name)
      await folder.writeContest({ start: minuteIn(-1), duration: undefined, end: minuteIn(1), ...fields })
      const { exitCode, stderr } = await apply(folder, '--yes')
      if (exitCode !== 0) throw new Error(`exit code ${exitCode}: ${stderr}`)
      const id = await readId(folder)
      const { root } = admin
      const submit = async (participant: number, problem: number, status: string): Promise<string> => {
        const people: { id: string; name: string }[] = await root.get(`/v1/public/events/${id}/participants`)
        const [user, { problem_id }, [language]] = [
          people.find(({ name }) => name.startsWith(NAMES[participant] ?? '')),
          (await root.get(`/v1/events/${id}/problems`))[problem],
          await root.get('/v1/languages'),
        ]
        const ids = { user_id: user?.id, event_id: id, problem_id, language_id: language.id }
        const { id: submission } = await root.post('/v1/submissions', { ...ids, source_code: 'print(7)' })
        await root.patch(`/v1/submissions/${submission}`, { status })
        return submission
      }
      return { id, folder, submit }
    },
  }
}

const NAMES = ['Nora', 'Omar']

/** The time in so many hours, to the minute and in quotes, as contest files have it. */
const minuteIn = (hours: number) => `"${isoIn(60 * hours).replace(/:\d\d\.\d+/, '')}"`

export const readLock = (folder: ContestFolder) => readFile(folder.at('contest.lock'), 'utf8')

export const readId = async (folder: ContestFolder): Promise<number> =>
  Number(/^contest: (\d+)$/m.exec(await readLock(folder))?.[1])

/** The names of the files with passwords. */
export const listCredentials = async (folder: ContestFolder): Promise<string[]> =>
  (await readdir(folder.path)).filter((name) => name.startsWith('credentials'))

/** The first account of the only file with passwords. */
export async function readFirstAccount(folder: ContestFolder): Promise<{ email: string; password: string }> {
  const [file = ''] = await listCredentials(folder)
  const [, line = ''] = (await readFile(folder.at(file), 'utf8')).split('\r\n')
  const [, email = '', , password = ''] = line.split(',')
  return { email, password }
}

/** A folder with a contest file and its packages and CSV files. */
export type ContestFolder = Awaited<ReturnType<typeof makeContestFolder>>

/** Makes a folder with a contest of two problems and two people, which starts in 2100. */
export async function makeContestFolder(name = 'exam') {
  const path = join(await makeTemporaryFolder(), name)
  const at = (file: string) => join(path, file)
  const write = (file: string, content: string) => writeFiles(path, { [file]: content })
  /** Writes the contest file with these fields after the usual ones. */
  const writeContest = async (fields: Readonly<Record<string, string | undefined>> = {}) => {
    const lines = Object.entries({ ...FIELDS, title: `The ${name}`, ...fields }).flatMap(([key, value]) =>
      value === undefined ? [] : `${key}: ${value}\n`,
    )
    await write('contest.yaml', lines.join(''))
  }
  const folder = { path, at, write, writeContest }
  await writePackage(folder, 'sum', '3\n')
  await writePackage(folder, 'rain', '7\n')
  const people = ['Nora', 'Omar'].map((one) => `${one} ${name},${one}-${name}@example.org\n`)
  await write('people.csv', `name,email\n${people.join('')}`)
  await writeContest()
  return folder
}

/** Writes a package whose only secret test has this answer. */
export async function writePackage(folder: ContestFolder, name: string, answer: string): Promise<void> {
  const hash = createHash('sha256').update(folder.at(name)).digest('hex')
  const uuid = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`
  const yaml = `problem_format_version: 2025-09\nname: The ${name}\nuuid: ${uuid}\nlimits:\n  time_limit: 1\n`
  await folder.write(`${name}/problem.yaml`, yaml)
  await folder.write(`${name}/statement/problem.en.md`, 'Add the numbers.\n')
  await folder.write(`${name}/data/secret/1.in`, '1 2\n')
  await folder.write(`${name}/data/secret/1.ans`, answer)
}

const FIELDS = {
  time_zone: 'Europe/Berlin',
  start: '2100-12-01 09:00',
  duration: '3h',
  problems: '[{package: sum, label: A, color: red}, {package: rain, label: B}]',
  participants: 'people.csv',
}
