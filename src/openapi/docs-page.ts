import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyError, FastifyInstance } from 'fastify'

/** The page at `/docs` that shows `/openapi.json`; it loads nothing from other hosts. */
export async function docsPage(app: FastifyInstance): Promise<void> {
  app.addHook('onRequest', async ({ url }, reply) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
    // The router has decoded it before.
    const path = decodeURIComponent(url.split('?', 1)[0] ?? '')
    // The page asks for the document here; the relative address also works behind a proxy's prefix.
    if (path === '/docs/json') return reply.redirect('../openapi.json')
    if (unserved.includes(path)) return reply.callNotFound()
  })
  // The plugin refuses some paths, such as a path with `..`.
  app.setErrorHandler((err: FastifyError, _request, reply) => {
    if (err.statusCode !== 403) throw err
    reply.callNotFound()
  })
  // The page's plugin requires this one, which requires a document; it is never sent.
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

/** The plugins' routes to the empty document, and to a page without a document. */
const unserved = ['/docs/yaml', '/docs/static/', '/docs/static/index.html']

/** Allows the page's own files and requests, and the `data:` URLs of its style sheet. */
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
