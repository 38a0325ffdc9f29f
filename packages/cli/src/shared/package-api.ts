import { Readable } from 'node:stream'
import type { Schemas } from '@judge-data-layer/client'
import { isErrorBody, JudgeApiError, NoResponseError } from '@judge-data-layer/client/errors'
import { tooLate } from './errors.ts'
import type { Settings } from './settings.ts'
import { tryParse, type Writer } from './text.ts'

type ImportReport = Schemas['ImportedPackage']

/** A package on its way to the service. */
interface Upload {
  readonly zip: Readable
  /** If the size is known, the service refuses a package that is too large before the upload. */
  readonly zipBytes: number | undefined
}

interface ImportOptions {
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

interface Call {
  readonly method: string
  readonly path: string
  readonly upload?: Upload
  /** Advice for the user if the response does not arrive in time. */
  readonly lateAdvice: string
}

// The typed client has no streams.
const ROUTE = '/v1/problem_packages'

/**
 * Imports a new problem, or replaces one: options that are not given stay as they are then. Throws
 * like `orThrow`, and `CliError` if the response is too late.
 */
export async function uploadPackage(
  target: Settings,
  id: number | undefined,
  upload: Upload,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const isNew = id === undefined
  const [done, look] = isNew ? ['imported the package', 'list'] : ['replaced the problem', `show ${id}`]
  const lateAdvice = `It may have ${done}. Look before you try again: judge problem ${look}`
  const path = `${ROUTE}${isNew ? '' : `/${id}`}${writeQuery(options)}`
  const response = await send(target, { method: isNew ? 'POST' : 'PUT', path, upload, lateAdvice })
  try {
    // The body, as the service's OpenAPI document describes it.
    const body: ImportReport = JSON.parse(await response.text())
    return body
  } catch (err) {
    throw new NoResponseError('the response of the service is incomplete', { response, cause: err })
  }
}

/** Exports a problem. Throws like `uploadPackage`. */
export async function downloadPackage(target: Settings, id: number): Promise<Download> {
  const call = { method: 'GET', path: `${ROUTE}/${id}`, lateAdvice: 'Try again later.' }
  const { headers, body } = await send(target, call)
  const [, name = ''] = /filename="([^"]*)"/.exec(headers.get('content-disposition') ?? '') ?? []
  const length = headers.get('content-length')
  return {
    fileName: name.replaceAll(/[^\w.-]/g, '_').replace(/^\.+/, '') || 'problem.zip',
    bytes: length === null || headers.has('content-encoding') ? undefined : Number(length),
    body: body === null ? Readable.from([]) : Readable.fromWeb(body),
  }
}

function writeQuery(options: ImportOptions): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(options)) query.set(name, String(value))
  return query.size === 0 ? '' : `?${query}`
}

async function send(target: Settings, call: Call): Promise<Response> {
  const { method, path, upload, lateAdvice } = call
  try {
    const response = await request(target, call)
    if (response.ok) return response
    const body = tryParse(JSON.parse, await response.text().catch(() => ''))
    if (isErrorBody(body)) throw new JudgeApiError(response, body)
    // A proxy has waited for the service.
    if (response.status === 504) throw tooLate(lateAdvice)
    const what = `${method} ${path}: ${response.status}`
    throw new NoResponseError(`the response is not from the service (${what})`, { response })
  } finally {
    // Not earlier: without its request's body, a refusal would lose its own.
    upload?.zip.destroy()
  }
}

async function request({ url, token }: Settings, { method, path, upload, lateAdvice }: Call) {
  let failure: Error | undefined
  upload?.zip.once('error', (err) => {
    failure = err
  })
  try {
    return await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token !== undefined && { authorization: token }),
        ...(upload && { 'content-type': 'application/zip' }),
        ...(upload?.zipBytes !== undefined && { 'content-length': String(upload.zipBytes) }),
      },
      ...(upload && { body: upload.zip, duplex: 'half' as const }),
    })
  } catch (err) {
    // A file that cannot be read is not the service's fault.
    if (failure !== undefined) throw failure
    const cause = Object(err).cause ?? err
    // Node waits 300 s.
    if (Object(cause).code === 'UND_ERR_HEADERS_TIMEOUT') throw tooLate(lateAdvice)
    const reason = cause instanceof Error ? cause.message || cause.name : String(cause)
    throw new NoResponseError(`no response to ${method} ${path}: ${reason}`, { cause: err })
  }
}

/** Describes a warning of an import, in one line. */
export function describeWarning(writer: Writer, { file, line, message }: Schemas['PackageWarning']): string {
  const place = line === undefined ? file : `${file}, line ${line}`
  return `${writer.paint({ text: 'warning:', colour: 'yellow' })} ${writer.paint(`${place}: ${message}`)}`
}
