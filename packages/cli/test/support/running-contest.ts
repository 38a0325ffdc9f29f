import { beforeAll } from 'vitest'
import { useService } from '../../../client/test/support/listening-app.ts'
import { type Invocation, judge, judgeJson } from './command-line.ts'
import { type ContestFolder, makeContestFolder } from './contest-folder.ts'

/** A contest that has run for an hour. */
export interface RunningContest {
  readonly id: number
  readonly folder: ContestFolder
  /** Submits as a participant, with this verdict. */
  submit(participant: number, problem: number, status: string): Promise<void>
}

/** Gives a file's tests a service, and an admin who runs the commands `judge contest`. */
export function useContestAdmin() {
  const setup = useService()
  let env: Record<string, string> = {}
  beforeAll(async () => {
    const { token } = await setup.service.createPerson({ admin: true })
    env = { JUDGE_URL: setup.service.url, JUDGE_USER_TOKEN: token, TZ: 'UTC' }
  })
  const root = () => setup.service.as(env.JUDGE_USER_TOKEN ?? '')
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
    contest: (argv: readonly string[], options: Invocation = {}) =>
      judge(['contest', ...argv], { env, ...options }),
    /** Applies a contest, and moves it so that it has run for an hour. */
    async startContest(name: string, fields: Record<string, string> = {}): Promise<RunningContest> {
      const folder = await makeContestFolder(name)
      await folder.writeContest(fields)
      const { contest_id: id } = await judgeJson(['contest', 'apply', folder.path, '--yes'], { env })
      await root().put(`/v1/events/${id}`, { start_time: later(-1), end_time: later(1) })
      const [people, problems, [language]] = await Promise.all([
        root().get(`/v1/public/events/${id}/participants`),
        root().get(`/v1/events/${id}/problems`),
        root().get('/v1/languages'),
      ])
      // They join in any order.
      people.sort((one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1))
      const submit = async (participant: number, problem: number, status: string) => {
        const { id: submission } = await root().post('/v1/submissions', {
          ...{ user_id: people[participant].id, event_id: id, problem_id: problems[problem].problem_id },
          ...{ language_id: language.id, source_code: 'print(7)' },
        })
        await root().patch(`/v1/submissions/${submission}`, { status })
      }
      return { id, folder, submit }
    },
  }
}

/** The time in so many hours. */
export const later = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
