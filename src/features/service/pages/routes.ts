import { createHash } from 'node:crypto'
import type { PageFile } from '@judge-data-layer/pages'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { notFound, type RouteResponse } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { FileContent, Written } from '../../../http/routing/schema.ts'
import { hasEntityTag, hashQuery, writeEntityTag } from '../../../lists/entity-tag.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'

/** The pages load and call only this service, and run no script besides their own files. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types dompurify statement-worker',
].join('; ')

const FilePath = Type.Object({ file: Written({ description: 'A file that one of the pages names.' }) })

/** The pages for browsers. Their HTML is the same for every event, whether it exists or not. */
export function pageRoutes({ pages }: Pick<FeatureDependencies, 'pages'>) {
  const files = new Map(pages.map((file) => [file.name, versioned(file)]))
  return [
    htmlRoute('scoreboard', 'openScoreboardPage', files),
    htmlRoute('contest', 'openContestPage', files),
    defineRoute('readPageFile', 'GET /v1/pages/:file', {
      policy: 'none',
      hasEntityTag: true,
      params: FilePath,
      responses: { 200: FileContent('*/*') },
      // HTML is served below /v1/scoreboard and /v1/contest only.
      handler: async ({ request, params }) =>
        respondWith(request, params.file.endsWith('.html') ? undefined : files.get(params.file)),
    }),
  ]
}

function htmlRoute<const N extends string>(
  page: 'scoreboard' | 'contest',
  name: N,
  files: ReadonlyMap<string, VersionedFile>,
) {
  const route = defineRoute(name, `GET /v1/${page}/:event_id`, {
    policy: 'none',
    hasEntityTag: true,
    responses: { 200: FileContent('text/html') },
    handler: async ({ request }) => {
      const file = files.get(`${page}.html`)
      if (file === undefined) throw new Error(`The pages have no ${page}.html: build them`)
      return respondWith(request, file)
    },
  })
  // The event in the path is not looked up.
  return { ...route, refusals: [] }
}

type VersionedFile = ReturnType<typeof versioned>

function versioned(file: PageFile) {
  const version = createHash('sha256').update(file.content).digest('base64url').slice(0, 22)
  return { ...file, query: hashQuery('page', [file.name]), version }
}

/** Long files are compressed once, and then kept. Throws NOT_FOUND. */
async function respondWith(request: FastifyRequest, file: VersionedFile | undefined): Promise<RouteResponse> {
  if (file === undefined) throw notFound('file of the pages')
  const { content, query, version, type, isImmutable } = file
  const headers = {
    etag: writeEntityTag(query, version),
    'content-security-policy': CONTENT_SECURITY_POLICY,
    ...(isImmutable && { 'cache-control': 'public, max-age=31536000, immutable' }),
  }
  if (hasEntityTag(request.headers['if-none-match'], query, version)) return { status: 304, headers }
  const compressed = await request.server.lists.compress(request.headers, content)
  return { status: 200, type, headers: { ...headers, ...compressed.headers }, body: compressed.body }
}
