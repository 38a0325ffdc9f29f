import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parse } from 'secure-json-parse'
import { AppError } from '../routing/errors.ts'
import type { CsvBody } from '../routing/route.ts'
import { TemporaryFile } from './temporary-file.ts'
import { receiveUpload, UPLOAD_TYPE } from './uploads.ts'

export const WANTED_TYPE = 'Content-Type must be application/json, in UTF-8'
const WANTED_TYPES = 'Content-Type must be application/json or text/csv, in UTF-8'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route also accepts CSV, which this turns into a JSON body. */
    readCsv?: ((text: string) => CsvBody) | undefined
  }
  interface FastifyRequest {
    /** Of a body in CSV, for the response. */
    bodyWarnings: readonly string[] | undefined
  }
}

/** Reads bodies as JSON in UTF-8; routes without a body ignore them. An empty one is none (D3). */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', (request, _reply, done) => {
    const { upload } = request.routeOptions.config
    // Fastify rejects unknown types, even on routes without a body.
    if (upload) {
      request.sentType = request.headers['content-type']
      request.headers['content-type'] = UPLOAD_TYPE
    } else if (!hasBody(request)) request.headers['content-type'] = 'application/octet-stream'
    done()
  })
  app.decorateRequest('sentType', undefined)
  app.decorateRequest('bodyWarnings', undefined)
  app.addContentTypeParser(UPLOAD_TYPE, receiveUpload)
  app.addHook('preValidation', closeUploadAtEnd)
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      done(null, parseBody(request, Buffer.from(bytes)))
    } catch (err) {
      done(err instanceof Error ? err : new Error(String(err)), undefined)
    }
  })
}

/** `onResponse` does not run for a client that has gone; the response closes in any case. */
async function closeUploadAtEnd({ body }: FastifyRequest, { raw }: FastifyReply): Promise<void> {
  if (!(body instanceof TemporaryFile)) return
  if (raw.destroyed) {
    await body.close()
    throw new AppError('UNAVAILABLE', 'The client has gone')
  }
  raw.once('close', () => void body.close())
}

function parseBody(request: FastifyRequest, bytes: Buffer): unknown {
  if (bytes.length === 0 || !hasBody(request)) return undefined
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers
  const { readCsv } = request.routeOptions.config
  const isCsv = readCsv !== undefined && isUtf8Of('text/csv', type)
  if (!isCsv && !isUtf8Of('application/json', type))
    throw new AppError('VALIDATION', readCsv === undefined ? WANTED_TYPE : WANTED_TYPES)
  if (encoding.toLowerCase() !== 'identity')
    throw new AppError('VALIDATION', 'The body must not be compressed')
  if (!isUtf8(bytes)) throw new AppError('VALIDATION', 'The body must be UTF-8')
  if (isCsv) {
    const { body, warnings } = readCsv(bytes.toString('utf8'))
    request.bodyWarnings = warnings
    return body
  }
  try {
    return parse(bytes.toString('utf8'), { protoAction: 'remove', constructorAction: 'remove' })
  } catch {
    throw new AppError('VALIDATION', 'The body must be valid JSON')
  }
}

const hasBody = (request: FastifyRequest) => request.routeOptions.schema?.body !== undefined

/** This media type in UTF-8; parameters other than the charset are ignored. */
function isUtf8Of(mediaType: string, contentType: string): boolean {
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim())
  const charsets = parameters.filter((parameter) => /^charset\s*=/i.test(parameter))
  return type?.toLowerCase() === mediaType && charsets.every((charset) => UTF_8.test(charset))
}

const UTF_8 = /=\s*"?utf-?8"?$/i
