import { randomUUID } from 'node:crypto'
import cors from '@fastify/cors'
import { fastifySSE } from '@fastify/sse'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Pools } from './db/pools.ts'
import { ChangeStreams } from './features/live/change-streams/streams.ts'
import { findAccount } from './features/people/accounts/sql.ts'
import { CAPABILITIES_HEADER } from './features/shared/access/capabilities.ts'
import type { FeatureDependencies } from './features/shared/dependencies.ts'
import { createBasicAuth } from './http/routing/basic-auth.ts'
import { createRateLimiter } from './http/routing/rate-limit.ts'
import { registerRoutes } from './http/routing/register.ts'
import { readBodies } from './http/server/bodies.ts'
import { rejectBrokenRequests } from './http/server/broken-requests.ts'
import { closeGentlyAfterResponses, drainConnections } from './http/server/closing.ts'
import { respondToErrors, sendError } from './http/server/failures.ts'
import { LIVE_TIMES, LiveConnections, type LiveTimes } from './http/server/live-connections.ts'
import { traceRequest } from './http/server/request-log.ts'
import { countResponses, ResponseMemory } from './http/server/response-memory.ts'
import { limitReadingTime, PacedResponse, TIMEOUTS, type Timeouts } from './http/server/timeouts.ts'
import { ListCache } from './lists/cache.ts'
import { createCompression } from './lists/compression.ts'
import { KeptTexts } from './lists/kept-texts.ts'
import { AccountTurns, TURN_LIMITS } from './lists/turns.ts'
import { docsPage } from './openapi/docs-page.ts'
import { allRoutes } from './routes.ts'

export interface AppDependencies extends FeatureDependencies {
  readonly pools: Pools
  readonly logger: FastifyBaseLogger
  // Tests set these. Without them the application runs as in production.
  readonly timeouts?: Timeouts
  readonly listCache?: ListCache
  readonly keptTexts?: KeptTexts
  readonly liveTimes?: Partial<LiveTimes>
}

/** Builds the HTTP application over its dependencies; it neither listens nor closes any of them. */
export async function buildApp(deps: AppDependencies): Promise<FastifyInstance> {
  const { config, pools, tokens, timeouts = TIMEOUTS } = deps
  const { listCache = new ListCache(), keptTexts = new KeptTexts() } = deps
  const app = openFastify(deps, timeouts)
  limitReadingTime(app, timeouts)
  app.decorateRequest('response')
  // Before the hook of CORS, which responds to preflights.
  app.addHook('onRequest', (request, reply, done) => {
    request.response = reply.raw
    traceRequest(request, reply, deps.metrics)
    done()
  })
  // After a commit of this instance its readers do not wait for their next look.
  app.addHook('onResponse', async ({ method }) => {
    if (method !== 'GET' && method !== 'HEAD') deps.changes.wake()
  })
  await app.register(cors, {
    origin: config.corsOrigins.includes('*') ? '*' : config.corsOrigins,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-None-Match',
      'Last-Event-ID',
      CAPABILITIES_HEADER,
    ],
    exposedHeaders: ['ETag', 'Link', 'Location', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'],
    maxAge: 86_400,
    strictPreflight: false,
  })
  await app.register(fastifySSE, { heartbeatInterval: 0 })
  openStreams(app, deps)
  drainConnections(app, timeouts)
  closeGentlyAfterResponses(app)
  readBodies(app)
  respondToErrors(app)
  countResponses(app, new ResponseMemory(config.responseMemoryBytes))
  app.decorate('lists', {
    cache: listCache,
    texts: keptTexts,
    compress: createCompression(),
    turns: new AccountTurns({ ...TURN_LIMITS, running: config.listsPerAccount }),
  })
  const { judgePassword, webBridge } = config.secrets
  registerRoutes(app, Object.values(allRoutes(deps)).flat(), {
    config,
    pools,
    tokens,
    identifyBasic: createBasicAuth(deps.passwords, findAccount),
    secrets: { judgePassword, webBridge },
    rateLimiter: createRateLimiter(),
  })
  await app.register(docsPage)
  return app
}

/** Long-lived responses. They end before connections are drained. */
function openStreams(app: FastifyInstance, deps: AppDependencies): void {
  const { changes, logger, metrics, pools } = deps
  const times = { ...LIVE_TIMES, ...deps.liveTimes }
  const database = pools.quick
  app.decorate('liveConnections', new LiveConnections({ database, logger, metrics, times }))
  app.decorate('changeStreams', new ChangeStreams({ changes, database, logger }))
  app.addHook('preClose', async () => app.liveConnections.drain())
}

/** The bare server: it parses HTTP and responds where no route is reached. */
function openFastify({ config, logger, metrics }: AppDependencies, timeouts: Timeouts): FastifyInstance {
  const app = Fastify({
    // A child logger: `listen` silences it during the start.
    loggerInstance: logger.child({}),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // One trusted proxy: the client's address is the last entry of X-Forwarded-For (D14).
    trustProxy: config.trustedProxy ? (_address, hop) => hop === 0 : false,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    // Fastify's own limit of 10 s is too short for a slow machine.
    pluginTimeout: 0,
    // drainConnections handles requests that arrive during the shutdown.
    return503OnClosing: false,
    // The length of a whole head: routes themselves reject ids that are too long (D2).
    routerOptions: { maxParamLength: 16_384 },
    http: {
      ServerResponse: PacedResponse,
      headersTimeout: timeouts.headMs,
      connectionsCheckingInterval: timeouts.checkMs,
      // Node's own response to a request without Host has no body.
      requireHostHeader: false,
    },
    frameworkErrors: async (err, request, reply) => {
      // No hook runs for a path that the router cannot decode.
      traceRequest(request, reply, metrics)
      return sendError(err, request, reply)
    },
    // rejectBrokenRequests responds instead.
    clientErrorHandler: () => {},
  })
  rejectBrokenRequests(app, logger)
  return app
}
