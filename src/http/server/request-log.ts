import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from '../../metrics/metrics.ts'
import { addressOf } from '../routing/address.ts'

/** Headers of every response: no sniffing, no Referer, no shared caching. */
const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, no-cache',
}

/** nginx's status for a client that did not wait for the response. */
const CLIENT_GONE = 499

/** Proxies and engines ask these every second. */
const HEALTH_ROUTES: ReadonlySet<string> = new Set(['/', '/health', '/healthy', '/ready'])

/**
 * Sets the common response headers; logs and measures the request at its end. Health routes that
 * respond 200 are logged at the level debug.
 */
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
    const line = { method, route, status, ms, address, actor: request.caller?.actor?.id }
    const level = status === 200 && HEALTH_ROUTES.has(route) ? 'debug' : 'info'
    request.log[level](line, 'request')
    // A stream lasts for hours.
    if (!request.isLive) metrics?.observeRequest(method, route, status, reply.elapsedTime / 1000)
  })
}
