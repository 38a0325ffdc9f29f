import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseOverloaded, DatabaseUnavailable } from '../../db/database.ts'
import { NoLongerAdmin } from '../routing/actor.ts'
import { AppError, contestApiErrorBody, errorBody, isOfContestApi } from '../routing/errors.ts'
import { enforceRole } from '../routing/policy.ts'
import { TOO_MUCH_TO_DO } from '../routing/responses.ts'
import { WANTED_TYPE } from './bodies.ts'

/** Sent with every 401 of the Contest API (RFC 7617). */
const CHALLENGE = 'Basic realm="Contest API", charset="UTF-8"'

/** Responds to every error with the common body (D1), or with the Contest API's body (P26). */
export function respondToErrors(app: FastifyInstance): void {
  app.setErrorHandler((err: FastifyError, request, reply) => sendError(err, request, reply))
  app.setNotFoundHandler((request, reply) => sendError(noRoute(request), request, reply))
  // An unknown route gets 404 (D2), even if the body is too large.
  app.addHook('onRequest', (request, _reply, done) => done(request.is404 ? noRoute(request) : undefined))
}

/** Responds to an error of a hook or a handler, or one of Fastify's `frameworkErrors`. */
export async function sendError(
  err: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const refusal = await refusalFor(toAppError(err, request), request)
  // Under overload the request's log line is enough. The service's own time limit has no cause.
  const { cause } = refusal
  const isOwnBound =
    refusal.kind === 'UNAVAILABLE' && (cause === undefined || cause instanceof DatabaseOverloaded)
  if (refusal.status >= 500 && !isOwnBound) request.log.error({ err: cause }, 'request failed')
  if (refusal.kind === 'RATE_LIMIT_EXCEEDED') reply.header('retry-after', '60')
  if (refusal.kind === 'UNAVAILABLE') reply.header('retry-after', '5')
  const isContestApi = isOfContestApi(request.routeOptions.url ?? request.url)
  if (isContestApi && refusal.status === 401) reply.header('www-authenticate', CHALLENGE)
  // Fastify closes the connection for a body that is too large or broken. A client that still sends
  // would never read the response. Node discards the rest, for at most the request timeout.
  reply.removeHeader('connection')
  return reply
    .code(refusal.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(isContestApi ? contestApiErrorBody(refusal) : errorBody(refusal, request.id)))
}

/** 401 and 403 precede other errors (D2): check the account, unless a statement has done so. */
async function refusalFor(refusal: AppError, request: FastifyRequest): Promise<AppError> {
  if (refusal.status >= 500) return refusal
  try {
    await confirmCaller(request)
    return refusal
  } catch (err) {
    return toAppError(err, request)
  }
}

/** Throws a 401 error, and FORBIDDEN if a route for admins has a former admin as its caller. */
async function confirmCaller({ caller, routeOptions, params }: FastifyRequest): Promise<void> {
  try {
    await caller?.db.confirm()
  } catch (err) {
    if (!(err instanceof NoLongerAdmin)) throw err
    const { policy } = routeOptions.config
    if (policy !== undefined && caller?.actor) enforceRole(policy, { ...caller.actor, role: 0 }, params)
  }
}

function toAppError(err: unknown, request: FastifyRequest): AppError {
  if (err instanceof AppError) return err
  if (err instanceof DatabaseOverloaded) {
    return new AppError('UNAVAILABLE', TOO_MUCH_TO_DO, { cause: err })
  }
  if (err instanceof DatabaseUnavailable) {
    return new AppError('UNAVAILABLE', 'The service cannot reach its database; try again shortly', {
      cause: err,
    })
  }
  const { statusCode = 500, code, message } = Object(err) as Partial<FastifyError>
  if (statusCode === 413) return tooLarge(request)
  if (statusCode === 415) return new AppError('VALIDATION', WANTED_TYPE)
  if (code === 'FST_ERR_BAD_URL')
    return new AppError('VALIDATION', 'The path must be UTF-8, with percent signs as %25')
  if (statusCode >= 400 && statusCode < 500)
    return new AppError('VALIDATION', message ?? 'The request is not valid')
  return new AppError('INTERNAL', 'Internal server error', { cause: err })
}

function tooLarge({ routeOptions }: FastifyRequest): AppError {
  const { largeBodyAdvice: advice } = routeOptions.config
  const message = ['The body is larger than this route takes', advice].filter(Boolean).join(': ')
  return new AppError('PAYLOAD_TOO_LARGE', message)
}

const noRoute = (request: FastifyRequest) =>
  new AppError('NOT_FOUND', `There is no route ${request.method} ${request.url.split('?', 1)[0]}`)
