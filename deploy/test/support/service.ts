import { createJudgeClient, type Schemas } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { afterAll } from 'vitest'
import { createDatabase } from '../../../tools/local-servers/database.ts'
import { makeServerFolder } from '../../../tools/local-servers/server-process.ts'
import { makeSecrets, startLocalService } from '../../../tools/local-servers/service.ts'

const PATIENT = '1000000/1000000'

/** A line of the service's log about a request. */
interface LoggedRequest {
  readonly route: string
  readonly status: number
  readonly address: string
  /** The port that the instance was given. */
  readonly port: number | undefined
}

/**
 * A database, an instance with a contest, and `start` for further instances; `requests` has the
 * logged requests of all. The database and the first instance end after the tests of the file.
 */
export async function startContest(variables: Readonly<Record<string, string>> = {}) {
  const database = await createServiceDatabase()
  afterAll(database.remove)
  const { start, requests } = prepareInstances({ ...database.variables, ...variables })
  const instance = await start()
  afterAll(() => instance.stop())
  return { instance, contest: await createContest(instance), start, requests }
}

/** A database without tables: on the server of TEST_DATABASE_URL, else embedded. */
async function createServiceDatabase() {
  const { TEST_DATABASE_URL: serverUrl } = process.env
  if (serverUrl) {
    const { url, drop } = await createDatabase(serverUrl, 'deploy_test')
    return { variables: { DATABASE_URL: url }, remove: drop }
  }
  const folder = await makeServerFolder('deploy-test')
  return { variables: { DATA_DIR: folder.path }, remove: async () => folder.remove() }
}

/** Starts instances of the service behind a proxy; `requests` has their logged requests. */
function prepareInstances(variables: Readonly<Record<string, string>>) {
  const secrets = makeSecrets()
  const requests: LoggedRequest[] = []
  const start = async (port?: number) => {
    const instance = await startLocalService({
      variables: {
        ...secrets,
        ...{ TRUSTED_PROXY: 'true', BASIC_REGISTRATION_ENABLED: 'true', ADMIN_EMAILS: 'root@example.org' },
        ...{ RATE_LIMIT_SUBMISSIONS: PATIENT, RATE_LIMIT_WRITES: PATIENT, DATABASE_POOL_SIZE: '6' },
        ...(port !== undefined && { PORT: String(port) }),
        ...variables,
      },
      onLine: (line) => {
        if (line.includes('"msg":"request"')) requests.push({ ...JSON.parse(line), port })
      },
    })
    return Object.assign(instance, { address: new URL(instance.url).host, port })
  }
  return { requests, start }
}

type Instance = Awaited<ReturnType<ReturnType<typeof prepareInstances>['start']>>

/** What the tests request: an admin, a problem with a long text, and a running contest. */
interface Contest {
  readonly token: string
  readonly eventId: number
  readonly submission: Schemas['SubmissionBody']
  /** Changes the end of the contest. */
  prolong(): Promise<void>
}

/** Makes an admin, a problem and a contest, without the proxy. */
async function createContest(instance: Instance): Promise<Contest> {
  const client = createJudgeClient({ baseUrl: instance.url })
  const account = { name: 'Root', email: 'root@example.org', password: 'a password' }
  const { id: user_id, token } = await orThrow(client.POST('/v1/basic_register', { body: account }))
  client.setToken(token)
  const problem = {
    ...{ title: 'Echo', identifier: 'echo', prompt: longText(), difficulty: 'EASY' as const, public: true },
    test_cases: [{ input: '1', expected_output: '1' }],
  }
  const { id: problem_id } = await orThrow(client.POST('/v1/problems', { body: problem }))
  const [language] = await orThrow(client.GET('/v1/languages'))
  const { id: eventId } = await orThrow(client.POST('/v1/events', { body: contestUntil(60) }))
  let minutes = 60
  return {
    ...{ token, eventId },
    submission: { user_id, problem_id, language_id: language?.id ?? '', source_code: 'print(1)' },
    async prolong() {
      minutes += 1
      const params = { path: { event_id: eventId } }
      await orThrow(client.PUT('/v1/events/{event_id}', { params, body: contestUntil(minutes) }))
    },
  }
}

const contestUntil = (minutes: number) => ({
  title: 'Contest',
  start_time: isoIn(-60),
  end_time: isoIn(minutes),
  problems: [],
})

const isoIn = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

/** Long enough that the service compresses it, and not too easy to compress. */
const longText = () => Array.from({ length: 6000 }, (_, i) => String(i * 7919)).join(' ')
