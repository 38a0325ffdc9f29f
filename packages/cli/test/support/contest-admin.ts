import { readdir, readFile } from 'node:fs/promises'
import { useAdmin } from './admin.ts'
import type { Invocation } from './command-line.ts'
import { type ContestFolder, makeContestFolder } from './contest-folder.ts'

/** Gives tests a service, and an admin who applies contest files and runs `judge contest`. */
export async function useContestAdmin() {
  const admin = await useAdmin()
  const contest = (argv: readonly string[], options?: Invocation) => admin.run(['contest', ...argv], options)
  const apply = (folder: ContestFolder, ...options: readonly string[]) =>
    contest(['apply', folder.path, ...options])
  const readOf = async (folder: ContestFolder, path: string) => {
    const id = await readId(folder)
    return admin.root.get(path.replace('ID', String(id)))
  }
  return {
    ...{ ...admin, contest, apply },
    readEvent: (folder: ContestFolder) => readOf(folder, '/v1/public/events/ID'),
    readProblems: (folder: ContestFolder) => readOf(folder, '/v1/events/ID/problems'),
    /** The names of the participants, sorted: they join in any order. */
    async readPeople(folder: ContestFolder): Promise<string[]> {
      const people: { name: string }[] = await readOf(folder, '/v1/public/events/ID/participants')
      return people.map(({ name }) => name).sort()
    },
    /**
     * Applies a contest that started an hour ago and ends in an hour. `submit` submits as a
     * participant, gives the verdict, and resolves to the id.
     */
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

/** The people of `makeContestFolder`. */
const NAMES = ['Nora', 'Omar']

/** The time in so many hours. */
export const later = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

/** The same to the minute, in quotes, as contest files have it. */
const minuteIn = (hours: number) => `"${later(hours).replace(/:\d\d\.\d+/, '')}"`

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
