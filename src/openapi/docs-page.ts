import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyError, FastifyInstance } from 'fastify'

/** The page at `/docs` that shows `/openapi.json` and sends requests from the browser; it loads nothing from elsewhere. */
export async function docsPage(app: FastifyInstance): Promise<void> {
  app.addHook('onRequest', async ({ url }, reply) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
    // The router has decoded it already.
    const path = decodeURIComponent(url.split('?', 1)[0] ?? '')
    // The page asks for the document here: it is to be the one that the service has made already, also behind a proxy's prefix.
    if (path === '/docs/json') return reply.redirect('../openapi.json')
    if (unserved.includes(path)) return reply.callNotFound()
  })
  // What the plugin will not look up, such as a path with `..`, is not there either.
  app.setErrorHandler((err: FastifyError, _request, reply) => {
    if (err.statusCode !== 403) throw err
    reply.callNotFound()
  })
  // The page's plugin wants this one, which wants a document; nobody is sent this one.
  const document = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} }
  await app.register(swagger, { mode: 'static', specification: { document } })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    theme: { title: 'Judge Data Layer' },
    staticCSP: contentSecurityPolicy,
    uiConfig: {
      layout: 'BaseLayout',
      deepLinking: true,
      docExpansion: 'none',
      filter: true,
      persistAuthorization: false,
      tryItOutEnabled: true,
    },
  })
}

/** A second, empty document, a second page that does not find one, and a way back to the first. */
const unserved = ['/docs/yaml', '/docs/static/', '/docs/static/index.html']

/** The page's own files and requests, and the pictures in its style sheet, which are `data:` URLs. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
