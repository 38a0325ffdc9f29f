import { randomUUID } from 'node:crypto'
import cors from '@fastify/cors'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Pools } from './db/pools.ts'
import { createRateLimiter } from './http/routing/rate-limit.ts'
import { registerRoutes } from './http/routing/route.ts'
import { readBodies } from './http/server/bodies.ts'
import { createBrokenRequests } from './http/server/broken-requests.ts'
import { drainConnections } from './http/server/draining.ts'
import { answerFailure, answerFailures } from './http/server/failures.ts'
import { boundAnswers, TIMEOUTS, type Timeouts } from './http/server/timeouts.ts'
import { KeptLists } from './lists/cache.ts'
import type { Metrics } from './metrics/metrics.ts'
import { docsPage } from './openapi/docs-page.ts'
import { allRoutes, type FeatureDependencies } from './routes.ts'

export interface AppDependencies extends FeatureDependencies {
  readonly pools: Pools
  readonly logger: FastifyBaseLogger
  /** By default as in production. */
  readonly timeouts?: Timeouts
  /** By default as in production. */
  readonly lists?: KeptLists
}

/** How long requests may take to finish once the application closes; the whole end has 10 s. */
const DRAIN_TIMEOUT_MS = 5000

/**
 * What browsers and caches must know of every answer: it is what its type says, no page's address leaves with what it leads to,
 * and it is the caller's alone: no cache may show it to another, nor later without asking again.
 */
const PROTECTION = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, no-cache',
}

/** Builds the HTTP application over its dependencies; it neither listens nor owns any of them. */
export async function buildApp(deps: AppDependencies): Promise<FastifyInstance> {
  const { config, pools, tokens, timeouts = TIMEOUTS, lists = new KeptLists() } = deps
  const app = openFastify(deps, timeouts)
  boundAnswers(app, timeouts.answerMs)
  // Before the hook of CORS, which answers preflights by itself.
  app.addHook('onRequest', (request, reply, done) => {
    traceRequest(request, reply, deps.metrics)
    done()
  })
  await app.register(cors, {
    origin: config.corsOrigins.includes('*') ? '*' : config.corsOrigins,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match'],
    exposedHeaders: ['ETag', 'Link', 'Retry-After', 'X-Request-Id'],
    maxAge: 86_400,
    strictPreflight: false,
  })
  drainConnections(app, DRAIN_TIMEOUT_MS)
  readBodies(app)
  answerFailures(app)
  const routes = allRoutes(deps).flatMap((group) => group.routes)
  const { judgePassword, webBridge } = config.secrets
  registerRoutes(app, routes, {
    config,
    pools,
    lists,
    tokens,
    secrets: { judgePassword, webBridge },
    rateLimiter: createRateLimiter(),
  })
  await app.register(docsPage)
  return app
}

/** The bare server: how it reads HTTP, and what it answers where no route is reached. */
function openFastify({ config, logger, metrics }: AppDependencies, timeouts: Timeouts): FastifyInstance {
  const brokenRequests = createBrokenRequests()
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // One trusted proxy: the client's address is the last entry of X-Forwarded-For (D14).
    trustProxy: config.trustedProxy ? (_address, hop) => hop === 0 : false,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    // What still comes on an open connection is answered as ever: see drainConnections.
    return503OnClosing: false,
    // As long as a head may be: an id of any length is the route's to refuse (D2).
    routerOptions: { maxParamLength: 16_384 },
    http: {
      headersTimeout: timeouts.headMs,
      connectionsCheckingInterval: timeouts.checkMs,
      // Node would answer a request without Host by itself, without a body.
      requireHostHeader: false,
    },
    frameworkErrors: (err, request, reply) => answerUnroutable(err, request, reply, metrics),
    clientErrorHandler: (err, socket) => brokenRequests.answer(err, socket, logger),
  })
  app.server.on('request', (_request, response) => brokenRequests.note(response))
  app.server.on('connect', (_request, socket) => brokenRequests.refuseTunnel(socket, logger))
  // Nor is an expectation that nobody knows a reason to answer without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  return app
}

/** Answers a path that the router cannot decode; no hook runs for it. */
async function answerUnroutable(
  err: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  metrics: Metrics | undefined,
): Promise<FastifyReply> {
  traceRequest(request, reply, metrics)
  return answerFailure(err, request, reply)
}

/** Gives every answer its common headers, and the log its one line, also when the client is gone before the answer. */
function traceRequest(request: FastifyRequest, reply: FastifyReply, metrics: Metrics | undefined): void {
  reply.headers({ 'x-request-id': request.id, ...PROTECTION })
  reply.raw.once('close', () => {
    logRequest(request, reply)
    if (metrics !== undefined) measureAnswer(metrics, request, reply)
  })
}

/** Counts also the answers that clients did not wait for, as 499. */
function measureAnswer(metrics: Metrics, request: FastifyRequest, reply: FastifyReply): void {
  const status = reply.sent ? reply.statusCode : 499
  metrics.observeRequest(request.method, request.routeOptions.url ?? 'none', status, reply.elapsedTime / 1000)
}

/** The route and not the URL, never a header or a body. 499 is nginx's status for a client that did not wait. */
function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.sent ? reply.statusCode : 499,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      address: request.ip,
      actor: request.caller?.actor?.id,
    },
    'request',
  )
}
