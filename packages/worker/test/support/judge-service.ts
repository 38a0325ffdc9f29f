import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from './unusable-servers.ts'

interface ServiceTestCase {
  input: string
  expected_output: string
  hidden?: boolean
  version?: number
}

interface ServiceSubmission {
  language: string
  source_code: string
  tests?: ServiceTestCase[]
  /** The judging options of its problem, if it is new; default: those of all problems. */
  options?: object
  accept_timeout?: number
}

interface VerdictBody {
  judging?: number
  status: string
  reason?: string
  stdout: string
  stderr: string
  time_elapsed: number
  runtime: number
  failed_test_case_id: string | null
  test_case_results: { test_case_id: string; stdout: string; stderr: string; passed: boolean }[]
}

type StoredTestCase = ServiceTestCase & { id: string; problem_id: number; hidden: boolean }

interface StoredSubmission extends Required<Omit<ServiceSubmission, 'tests' | 'options'>> {
  problem_id: number
  test_cases: StoredTestCase[] | undefined
  verdicts: VerdictBody[]
}

interface StoredRun {
  language_id: string
  source_code: string
  stdin: string
  verdicts: VerdictBody[]
}

export const PASSWORD = 'password-of-the-judge'

/** The number of every judging here. */
export const JUDGING = 7

function createState() {
  return {
    submissions: new Map<string, StoredSubmission>(),
    runs: new Map<string, StoredRun>(),
    languages: new Map<string, string>(),
    /** The error statuses of the next responses of a route, `PATCH /v1/submissions`. */
    statuses: new Map<string, number[]>(),
    /** The code of these errors for clients; default: the status. */
    codes: new Map<number, string>(),
    /** The statuses of the next pages that a proxy sends for a route. */
    pages: new Map<string, number[]>(),
    requests: [] as string[],
    onRequest: [] as ((route: string) => void)[],
    /** A response with a problem's tests waits for the problem's promise. */
    heldTests: new Map<number, Promise<void>>(),
    /** The responses with tests and manifests, in order. */
    testsResponses: [] as { problemId: number; status: 200 | 304 }[],
    /** A proxy passes entity tags. */
    hasTags: true,
    /** How many bytes at the end of each text do not arrive. */
    lostBytes: 0,
    /** The judging options of all problems, as the service sends them. */
    options: {} as object,
    optionsOf: new Map<number, object>(),
    /** More fields of the records of submissions, by their ids. */
    tasks: new Map<string, object>(),
    /** Set if judgings must be renewed. */
    requeueAfter: undefined as number | undefined,
    /** What workers say of themselves. */
    registrations: [] as { worker: string; body: unknown }[],
    heartbeats: [] as unknown[],
    token: randomUUID() as string,
    logins: 0,
  }
}

type State = ReturnType<typeof createState>

/** Starts an HTTP server with the routes for judges. */
export async function startJudgeService() {
  const state = createState()
  const { submissions, runs, languages } = state
  const server = createServer((req, res) => serve(state, req, res))
  return Object.assign(state, {
    url: `http://127.0.0.1:${await listen(server)}`,
    replaceToken() {
      state.token = randomUUID()
    },
    /** Adds a submission to the problem of the submission `other`, or to a new problem. */
    addSubmission({ tests = [], options, ...submission }: ServiceSubmission, other = ''): string {
      const id = randomUUID()
      const problem_id = submissions.get(other)?.problem_id ?? submissions.size + 1
      const ownTests = tests.map((test) => ({ hidden: false, ...test, id: randomUUID(), problem_id }))
      if (options && !submissions.has(other)) state.optionsOf.set(problem_id, options)
      submissions.set(id, {
        ...{ accept_timeout: 100, ...submission },
        ...{ problem_id, test_cases: submissions.get(other)?.test_cases ?? ownTests, verdicts: [] },
      })
      return id
    },
    addRun(language: string, source_code: string, stdin: string): string {
      const [id, language_id] = [randomUUID(), randomUUID()]
      languages.set(language_id, language)
      runs.set(id, { language_id, source_code, stdin, verdicts: [] })
      return id
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

export type JudgeService = Awaited<ReturnType<typeof startJudgeService>>

async function serve(state: State, req: IncomingMessage, res: ServerResponse) {
  const sent = await text(req)
  const body: VerdictBody | undefined = sent === '' ? undefined : JSON.parse(sent)
  const [path, id, rest, part] = splitPath(req.url ?? '')
  const route = `${req.method} ${path}${rest}`
  // They come at any time, and so are no part of the other requests.
  if (path === '/v1/judges') {
    if (req.headers.authorization !== state.token) return refuse(res, 401)
    state.registrations.push({ worker: decodeURIComponent(id), body })
    return send(res, 204)
  }
  state.requests.push(route)
  for (const listener of state.onRequest) listener(route)
  const forced = state.statuses.get(route)?.shift()
  if (forced !== undefined) return refuse(res, forced, state.codes.get(forced))
  const page = state.pages.get(route)?.shift()
  if (page !== undefined) return sendPage(res, page)
  if (route === 'POST /v1/login_judge') {
    if (req.headers.authorization !== PASSWORD) return refuse(res, 401)
    state.logins += 1
    return send(res, 200, { token: state.token })
  }
  if (req.headers.authorization !== state.token) return refuse(res, 401)
  if (route === 'POST /v1/submissions/heartbeat') {
    state.heartbeats.push(body)
    return send(res, 204)
  }
  if (path === '/v1/submissions')
    return serveRecord(res, state.submissions.get(id), body, showSubmission(state, id))
  if (path === '/v1/input_submissions') return serveRecord(res, state.runs.get(id), body, showRun(state, id))
  const [, kind, which] =
    /^GET \/v1\/problem_description\/(tests|test_cases)(?:\/\*\/(input|answer))?$/.exec(route) ?? []
  if (kind === undefined) return refuse(res, 404)
  if (!which) return serveTests(state, req, res, Number(id), kind === 'tests' ? showTexts : showSizes)
  const found = findTestCases(state, Number(id))?.find((testCase) => testCase.id === part)
  return found ? sendText(res, found, which, state.lostBytes) : refuse(res, 404)
}

function sendText(
  res: ServerResponse,
  { version = 1, input, expected_output }: StoredTestCase,
  which: string,
  lostBytes: number,
) {
  const whole = Buffer.from(which === 'input' ? input : expected_output)
  const bytes = whole.subarray(0, whole.length - lostBytes)
  const headers = { 'content-type': 'application/octet-stream', 'content-length': bytes.length }
  res.writeHead(200, { ...headers, etag: `W/"${version}"` }).end(bytes)
}

function serveRecord<R extends StoredSubmission | StoredRun>(
  res: ServerResponse,
  found: R | undefined,
  body: VerdictBody | undefined,
  show: (record: R) => object,
) {
  if (!found) return refuse(res, 404)
  if (!body) {
    const status = found.verdicts.at(-1)?.status ?? 'PENDING'
    return send(res, 200, { status, finished: status !== 'PENDING', ...show(found) })
  }
  const known = 'test_cases' in found ? found.test_cases?.map(({ id }) => id) : undefined
  if (known && body.test_case_results.some((result) => !known.includes(result.test_case_id)))
    return refuse(res, 400)
  found.verdicts.push(body)
  return send(res, 204)
}

const showSubmission =
  ({ requeueAfter, tasks }: State, id: string) =>
  ({ accept_timeout, problem_id, source_code, language }: StoredSubmission) => ({
    ...{ judging: JUDGING, source_code, problem_id },
    ...(requeueAfter !== undefined && { requeue_after: requeueAfter }),
    problem: { id: problem_id, accept_timeout, execution_timeout: 50, memory_limit: 256 },
    language: { id: randomUUID(), name: language },
    ...tasks.get(id),
  })

const showRun =
  ({ languages }: State, id: string) =>
  ({ verdicts: _, ...run }: StoredRun) => ({
    ...{ id, judging: JUDGING, ...run },
    language: { id: run.language_id, name: languages.get(run.language_id) ?? '' },
  })

const showTexts = ({ version: _, ...testCase }: StoredTestCase) => testCase
const showSizes = ({ id, hidden, version = 1, input, expected_output }: StoredTestCase) => {
  return { id, hidden, version, bytes: Buffer.byteLength(input) + Buffer.byteLength(expected_output) }
}

/** Sends a problem's tests, or their sizes, with their entity tag; or 304. */
async function serveTests(
  state: State,
  req: IncomingMessage,
  res: ServerResponse,
  problem_id: number,
  show: (testCase: StoredTestCase) => object,
) {
  const found = findTestCases(state, problem_id)
  if (!found) return refuse(res, 404)
  const { hasTags, testsResponses, heldTests, options, optionsOf } = state
  const test_cases = found.map(show)
  const text = JSON.stringify({ problem_id, ...options, ...optionsOf.get(problem_id), test_cases })
  const etag = `W/"${createHash('sha256').update(text).digest('hex')}"`
  const status = req.headers['if-none-match'] === etag ? 304 : 200
  testsResponses.push({ problemId: problem_id, status })
  await heldTests.get(problem_id)
  const type = status === 200 && { 'content-type': 'application/json' }
  return res.writeHead(status, { ...(hasTags && { etag }), ...type }).end(status === 200 ? text : undefined)
}

function findTestCases({ submissions }: State, problemId: number): StoredTestCase[] | undefined {
  return [...submissions.values()].find((submission) => submission.problem_id === problemId)?.test_cases
}

/** Splits a path such as `/v1/submissions/{id}/…`. The second segment after the id is an id too. */
function splitPath(url: string): [string, string, string, string] {
  const [, version = '', resource = '', id = '', ...more] = url.split('/')
  const rest = more.map((segment, i) => `/${i === 1 ? '*' : segment}`).join('')
  return [`/${version}/${resource}`, id, rest, more[1] ?? '']
}

function send(res: ServerResponse, status: number, body?: unknown) {
  res.writeHead(status, { 'content-type': 'application/json' })
  res.end(body === undefined ? undefined : JSON.stringify(body))
}

function refuse(res: ServerResponse, status: number, code = String(status)) {
  send(res, status, { code, error: 'refused', message: 'refused' })
}

function sendPage(res: ServerResponse, status: number) {
  res.writeHead(status, { 'content-type': 'text/html' }).end(`<h1>${status}</h1>`)
}
