import { Readable } from 'node:stream'
import type { Schemas } from '@judge-data-layer/client'
import { isErrorBody, JudgeApiError, NoResponseError } from '@judge-data-layer/client/errors'

type ImportReport = Schemas['ImportedPackage']

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

/** The routes with streams. They throw `JudgeApiError` or `NoResponseError`. */
export interface PackageApi {
  create(zip: Readable, options: ImportOptions): Promise<ImportReport>
  /** Options that are not given stay as they are. */
  replace(problemId: number, zip: Readable, options: ImportOptions): Promise<ImportReport>
  download(problemId: number): Promise<Download>
}

interface Target {
  readonly url: string
  readonly token: string | undefined
}

/** Makes the client of these routes. The typed client has no streams. */
export function createPackageApi(target: Target): PackageApi {
  const route = '/v1/problem_packages'
  return {
    create: async (zip, options) => readReport(await send(target, 'POST', route + writeQuery(options), zip)),
    replace: async (id, zip, options) =>
      readReport(await send(target, 'PUT', `${route}/${id}${writeQuery(options)}`, zip)),
    download: async (id) => readDownload(await send(target, 'GET', `${route}/${id}`)),
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
async function readReport(response: Response): Promise<ImportReport> {
  try {
    const body: ImportReport = JSON.parse(await response.text())
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
