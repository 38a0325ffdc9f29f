import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export interface ServiceTestCase {
  input: string
  expected_output: string
  hidden?: boolean
}

export interface ServiceSubmission {
  language: string
  source_code: string
  tests?: ServiceTestCase[]
  accept_timeout?: number
  execution_timeout?: number
  memory_limit?: number
}

interface StoredSubmission extends Required<ServiceSubmission> {
  problem_id: number
  test_cases: (ServiceTestCase & { id: string; problem_id: number; hidden: boolean })[] | undefined
  verdicts: VerdictBody[]
}

interface StoredRun {
  language_id: string
  source_code: string
  stdin: string
  verdicts: VerdictBody[]
}

export interface VerdictBody {
  judging?: number
  attempt?: number
  status: string
  stdout: string
  stderr: string
  time_elapsed: number
  runtime: number
  failed_test_case_id: string | null
  test_case_results: { test_case_id: string; stdout: string; stderr: string; passed: boolean }[]
}

/**
 * An HTTP server with the routes for judges. `statuses` has the error statuses of the next responses
 * of a route (`PATCH /v1/submissions`), `pages` the statuses of the next pages of a proxy. A response
 * with a problem's tests waits for the problem's promise in `heldTests`; `testsResponses` lists these
 * responses in order.
 */
export async function startJudgeService(password: string) {
  const submissions = new Map<string, StoredSubmission>()
  const runs = new Map<string, StoredRun>()
  const languages = new Map<string, string>()
  const statuses = new Map<string, number[]>()
  const pages = new Map<string, number[]>()
  const requests: string[] = []
  const heldTests = new Map<number, Promise<void>>()
  const testsResponses: { problemId: number; status: 200 | 304 }[] = []
  let sendsTags = true
  let numbers: RecordNumbers = { judging: JUDGING, attempt: JUDGING }
  const onRequest: ((route: string) => void)[] = []
  let token = randomUUID()
  let logins = 0

  const server = createServer(async (req, res) => {
    const body = await readBody(req)
    const [path = '', id = '', rest = ''] = splitPath(req.url ?? '')
    const route = `${req.method} ${path}${rest}`
    requests.push(route)
    for (const listener of onRequest) listener(route)
    const forced = statuses.get(route)?.shift()
    if (forced !== undefined) return refuse(res, forced)
    const page = pages.get(route)?.shift()
    if (page !== undefined) return sendPage(res, page)
    if (route === 'POST /v1/login_judge') {
      if (req.headers.authorization !== password) return refuse(res, 401)
      logins += 1
      return send(res, 200, { token })
    }
    if (route === 'GET /v1/languages') {
      return send(
        res,
        200,
        [...languages].map(([languageId, name]) => ({ id: languageId, name, extension: 'x', version: '1' })),
      )
    }
    if (req.headers.authorization !== token) return refuse(res, 401)
    if (path === '/v1/submissions') return serveSubmission(res, submissions.get(id), numbers, body)
    if (path === '/v1/input_submissions') return serveRun(res, id, runs.get(id), numbers, body)
    if (route === 'GET /v1/problem_description/tests') {
      const found = [...submissions.values()].find((submission) => submission.problem_id === Number(id))
      if (!found?.test_cases) return refuse(res, 404)
      const text = JSON.stringify({ problem_id: Number(id), test_cases: found.test_cases })
      const tag = sendsTags ? `W/"${createHash('sha256').update(text).digest('hex')}"` : undefined
      const status = tag !== undefined && req.headers['if-none-match'] === tag ? 304 : 200
      testsResponses.push({ problemId: Number(id), status })
      await heldTests.get(Number(id))
      return sendTests(res, status, tag, text)
    }
    return refuse(res, 404)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0

  return {
    url: `http://127.0.0.1:${port}`,
    statuses,
    pages,
    requests,
    onRequest,
    heldTests,
    testsResponses,
    submissions,
    runs,
    get logins() {
      return logins
    },
    stopTags() {
      sendsTags = false
    },
    /** Shows the number of a judging as older services do. */
    showAttemptOnly() {
      numbers = { attempt: JUDGING }
    },
    replaceToken() {
      token = randomUUID()
    },
    /** Adds a submission to the problem of the submission `other`, or to a new problem. */
    addSubmission(submission: ServiceSubmission, other?: string): string {
      const id = randomUUID()
      const shared = other === undefined ? undefined : submissions.get(other)
      const problemId = shared?.problem_id ?? submissions.size + 1
      const tests = submission.tests ?? []
      submissions.set(id, {
        accept_timeout: 10,
        execution_timeout: 5,
        memory_limit: 256,
        ...submission,
        tests,
        problem_id: problemId,
        test_cases:
          shared?.test_cases ??
          tests.map((test) => ({ hidden: false, ...test, id: randomUUID(), problem_id: problemId })),
        verdicts: [],
      })
      return id
    },
    addRun(language: string, sourceCode: string, stdin: string): string {
      const id = randomUUID()
      const languageId = randomUUID()
      languages.set(languageId, language)
      runs.set(id, { language_id: languageId, source_code: sourceCode, stdin, verdicts: [] })
      return id
    },
    close() {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** The number of every judging here. */
export const JUDGING = 7

interface RecordNumbers {
  readonly judging?: number
  readonly attempt: number
}

export type JudgeService = Awaited<ReturnType<typeof startJudgeService>>

function serveSubmission(
  res: ServerResponse,
  found: StoredSubmission | undefined,
  numbers: RecordNumbers,
  body: VerdictBody | undefined,
) {
  if (!found) return refuse(res, 404)
  if (body) {
    const known = new Set(found.test_cases?.map((testCase) => testCase.id))
    if (body.test_case_results.some((result) => !known.has(result.test_case_id))) return refuse(res, 400)
    found.verdicts.push(body)
    return send(res, 204)
  }
  const { accept_timeout, execution_timeout, memory_limit } = found
  return send(res, 200, {
    status: found.verdicts.at(-1)?.status ?? 'PENDING',
    ...numbers,
    source_code: found.source_code,
    problem_id: found.problem_id,
    problem: { id: found.problem_id, accept_timeout, execution_timeout, memory_limit },
    language: { id: randomUUID(), name: found.language },
  })
}

function serveRun(
  res: ServerResponse,
  id: string,
  found: StoredRun | undefined,
  numbers: RecordNumbers,
  body: VerdictBody | undefined,
) {
  if (!found) return refuse(res, 404)
  if (body) {
    found.verdicts.push(body)
    return send(res, 204)
  }
  const { language_id, source_code, stdin } = found
  const status = found.verdicts.at(-1)?.status ?? 'PENDING'
  return send(res, 200, {
    id,
    status,
    finished: status !== 'PENDING',
    ...numbers,
    language_id,
    source_code,
    stdin,
  })
}

function sendTests(res: ServerResponse, status: 200 | 304, tag: string | undefined, text: string) {
  res.writeHead(status, {
    ...(tag !== undefined && { etag: tag }),
    ...(status === 200 && { 'content-type': 'application/json' }),
  })
  res.end(status === 200 ? text : undefined)
}

/** Splits `/v1/submissions/{id}/status` into `/v1/submissions`, the id and `/status`. */
function splitPath(url: string): [string, string, string] {
  const [, version = '', resource = '', id = '', rest] = url.split('/')
  return [`/${version}/${resource}`, id, rest === undefined ? '' : `/${rest}`]
}

async function readBody(req: IncomingMessage): Promise<VerdictBody | undefined> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk)
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString())
}

function send(res: ServerResponse, status: number, body?: unknown) {
  res.writeHead(status, { 'content-type': 'application/json' })
  res.end(body === undefined ? undefined : JSON.stringify(body))
}

/** Responds with the service's error body. */
function refuse(res: ServerResponse, status: number) {
  send(res, status, { code: String(status), error: 'refused', message: 'refused' })
}

function sendPage(res: ServerResponse, status: number) {
  res.writeHead(status, { 'content-type': 'text/html' })
  res.end(`<h1>${status}</h1>`)
}
