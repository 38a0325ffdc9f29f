import { Readable } from 'node:stream'
import { isErrorBody, JudgeApiError, NoResponseError } from '@judge-data-layer/client/errors'

/** A part of a package that was not imported, or changed its meaning. */
export interface ImportWarning {
  readonly file: string
  readonly line?: number
  readonly message: string
}

/** The response to an import. */
export interface ImportReport {
  readonly problem_id: number
  /** Numbers by kind: test_cases, statements, files, submissions, validators, categories. */
  readonly imported: Readonly<Record<string, number>>
  readonly warnings: readonly ImportWarning[]
}

export interface VerifiedProgram {
  readonly path: string
  readonly language?: string
  readonly expected: string
  /** PENDING, a verdict or NOT_JUDGED. */
  readonly status: string
  readonly score?: number
  /** Seconds. */
  readonly slowest_time?: number
  readonly agrees?: boolean
  readonly message?: string
}

export interface VerifiedValidator {
  readonly path: string
  readonly kind: string
  readonly status: string
  readonly agrees?: boolean
  readonly rejected?: readonly { readonly test_case: string; readonly message?: string }[]
  readonly message?: string
}

/** The report about the programs and validators of a package. */
export interface Verification {
  readonly id: string
  readonly problem_id: number
  readonly status: 'PENDING' | 'DONE'
  /** Absent while it is pending. */
  readonly agrees?: boolean
  readonly programs: readonly VerifiedProgram[]
  readonly validators: readonly VerifiedValidator[]
  /** Times in seconds. */
  readonly time_limit?: {
    readonly seconds: number
    readonly provisional: boolean
    readonly computed?: number
    readonly slowest_accepted?: number
    readonly fastest_too_slow?: number
    readonly message?: string
  }
}

/** A file of a problem for solvers. */
export interface ProblemFile {
  readonly name: string
  readonly bytes: number
  readonly type: string
}

export interface ImportOptions {
  readonly difficulty?: string
  readonly public?: boolean
}

/** A package on its way from the service. */
export interface Download {
  readonly fileName: string
  /** Undefined if the service does not know it in advance. */
  readonly bytes: number | undefined
  readonly body: Readable
}

/** The routes of problem packages. They throw `JudgeApiError` or `NoResponseError`. */
export interface PackageApi {
  create(zip: Readable, options: ImportOptions): Promise<ImportReport>
  /** Options that are not given stay as they are. */
  replace(problemId: number, zip: Readable, options: ImportOptions): Promise<ImportReport>
  download(problemId: number): Promise<Download>
  listFiles(problemId: number): Promise<readonly ProblemFile[]>
  startVerification(problemId: number): Promise<Verification>
  readVerification(problemId: number, verificationId: string): Promise<Verification>
}

interface Target {
  readonly url: string
  readonly token: string | undefined
}

/** Makes the client of these routes. The typed client has no streams. */
export function createPackageApi(target: Target): PackageApi {
  const route = '/v1/problem_packages'
  return {
    create: async (zip, options) =>
      readJson<ImportReport>(await send(target, 'POST', route + writeQuery(options), zip)),
    replace: async (id, zip, options) =>
      readJson<ImportReport>(await send(target, 'PUT', `${route}/${id}${writeQuery(options)}`, zip)),
    download: async (id) => readDownload(await send(target, 'GET', `${route}/${id}`)),
    listFiles: async (id) => readJson<ProblemFile[]>(await send(target, 'GET', `/v1/problems/${id}/files`)),
    startVerification: async (id) =>
      readJson<Verification>(await send(target, 'POST', `${route}/${id}/verifications`)),
    readVerification: async (id, verificationId) =>
      readJson<Verification>(await send(target, 'GET', `${route}/${id}/verifications/${verificationId}`)),
  }
}

function writeQuery(options: ImportOptions): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(options)) query.set(name, String(value))
  return query.size === 0 ? '' : `?${query}`
}

async function send(target: Target, method: string, path: string, zip?: Readable): Promise<Response> {
  try {
    const response = await request(target, method, path, zip)
    if (response.ok) return response
    const body = parseJson(await response.text().catch(() => ''))
    if (isErrorBody(body)) throw new JudgeApiError(response, body)
    const what = `${method} ${path}: ${response.status}`
    throw new NoResponseError(`the response is not from the service (${what})`, { response })
  } finally {
    // Not earlier: without its request's body, a refusal would lose its own.
    zip?.destroy()
  }
}

async function request({ url, token }: Target, method: string, path: string, zip?: Readable) {
  let failure: Error | undefined
  zip?.once('error', (err) => {
    failure = err
  })
  try {
    return await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token !== undefined && { authorization: token }),
        ...(zip && { 'content-type': 'application/zip' }),
      },
      ...(zip && { body: zip, duplex: 'half' as const }),
    })
  } catch (err) {
    // A file that cannot be read is not the service's fault.
    if (failure !== undefined) throw failure
    const cause = Object(err).cause ?? err
    const reason = cause instanceof Error ? cause.message || cause.name : String(cause)
    throw new NoResponseError(`no response to ${method} ${path}: ${reason}`, { cause: err })
  }
}

/** The body, as the service's OpenAPI document describes it. */
async function readJson<Body>(response: Response): Promise<Body> {
  try {
    const body: Body = JSON.parse(await response.text())
    return body
  } catch (err) {
    throw new NoResponseError('the response of the service is incomplete', { response, cause: err })
  }
}

function readDownload({ headers, body }: Response): Download {
  const [, name = ''] = /filename="([^"]*)"/.exec(headers.get('content-disposition') ?? '') ?? []
  const length = headers.get('content-length')
  return {
    fileName: name.replaceAll(/[^\w.-]/g, '_').replace(/^\.+/, '') || 'problem.zip',
    bytes: length === null || headers.has('content-encoding') ? undefined : Number(length),
    body: body === null ? Readable.from([]) : Readable.fromWeb(body),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
