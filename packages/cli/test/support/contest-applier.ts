import { readdir, readFile } from 'node:fs/promises'
import { beforeAll } from 'vitest'
import { useService } from '../../../client/test/support/listening-app.ts'
import { judge } from './command-line.ts'
import type { ContestFolder } from './contest-folder.ts'

/** Gives a file's tests a service, and an admin who applies contest files. */
export function useContestApplier() {
  const setup = useService()
  let env: Record<string, string> = {}
  beforeAll(async () => {
    const { token } = await setup.service.createPerson({ admin: true })
    env = { JUDGE_URL: setup.service.url, JUDGE_USER_TOKEN: token }
  })
  const root = () => setup.service.as(env.JUDGE_USER_TOKEN ?? '')
  const apply = (folder: ContestFolder, ...options: readonly string[]) =>
    judge(['contest', 'apply', folder.path, ...options], { env })
  const get = async (before: string, folder: ContestFolder, after = '') =>
    root().get(`${before}/${await readId(folder)}${after}`)
  return {
    get service() {
      return setup.service
    },
    get env() {
      return env
    },
    get root() {
      return root()
    },
    apply,
    /** Applies the file, and then moves the contest so that it has started. */
    async startContest(folder: ContestFolder, hours = 1): Promise<void> {
      const first = await apply(folder, '--yes')
      await folder.writeContest({ start: `"${at(-1)}"`, duration: undefined, end: `"${at(hours)}"` })
      const second = await apply(folder, '--yes')
      for (const { exitCode, stderr } of [first, second])
        if (exitCode !== 0) throw new Error(`exit code ${exitCode}: ${stderr}`)
    },
    readEvent: (folder: ContestFolder) => get('/v1/public/events', folder),
    readProblems: (folder: ContestFolder) => get('/v1/events', folder, '/problems'),
    /** The names of the participants, sorted: they join in any order. */
    async readPeople(folder: ContestFolder): Promise<string[]> {
      const people: { name: string }[] = await get('/v1/public/events', folder, '/participants')
      return people.map(({ name }) => name).sort()
    },
    /** Resolves to the status. */
    async logIn(email: string, password: string): Promise<number> {
      const call = setup.service.connect().POST('/v1/basic_login', { body: { email, password } })
      return (await call).response.status
    },
  }
}

/** Reads the lock of an applied contest file. */
export const readLock = (folder: ContestFolder) => readFile(folder.at('contest.lock'), 'utf8')

/** Reads the id of the contest from the lock. */
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

/** A time in so many hours, to the minute, as contest files have it. */
const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().replace(/:\d\d\.\d+/, '')
