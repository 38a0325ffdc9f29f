import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from '../../metrics/metrics.ts'
import { addressOf } from '../routing/address.ts'
import { securityHeaders } from './security-headers.ts'

/** nginx's status for a client that did not wait for the response. */
const CLIENT_GONE = 499

/** Sets the common response headers; logs and measures the request at its end. */
export function traceRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  metrics: Metrics | undefined,
): void {
  reply.headers({ 'x-request-id': request.id, ...securityHeaders })
  reply.raw.once('close', () => {
    // Never the URL, a header or a body: they may contain secrets.
    const route = request.routeOptions.url ?? 'none'
    const status = reply.sent ? reply.statusCode : CLIENT_GONE
    const { method } = request
    const address = addressOf(request)?.toString()
    const ms = Math.round(reply.elapsedTime * 10) / 10
    request.log.info({ method, route, status, ms, address, actor: request.caller?.actor?.id }, 'request')
    // A stream lasts for hours.
    if (!request.isLive) metrics?.observeRequest(method, route, status, reply.elapsedTime / 1000)
  })
}
