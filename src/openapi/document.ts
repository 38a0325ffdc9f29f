import { readVersion } from '../config/project.ts'
import { namesOf } from '../http/routing/path.ts'
import type { Route } from '../http/routing/route.ts'
import { describeOperation, type Limits, usualSecurity } from './operation.ts'
import type { Operations } from './operation-docs.ts'
import { accountOperations } from './operations/accounts.ts'
import { changeStreamOperations } from './operations/change-streams.ts'
import { clarificationOperations } from './operations/clarifications.ts'
import { contestApiOperations } from './operations/contest-api.ts'
import { eventProblemOperations } from './operations/event-problems.ts'
import { eventOperations } from './operations/events.ts'
import { judgingOperations } from './operations/judging.ts'
import { problemPackageOperations } from './operations/problem-packages.ts'
import { problemOperations } from './operations/problems.ts'
import { rejudgingOperations } from './operations/rejudging.ts'
import { serviceOperations } from './operations/service.ts'
import { standingsOperations } from './operations/standings.ts'
import { submissionOperations } from './operations/submissions.ts'
import { teamOperations } from './operations/teams.ts'
import { webhookOperations } from './operations/webhooks.ts'
import type { Components } from './schemas.ts'

/** An OpenAPI 3.1 document. */
export interface ApiDocument {
  readonly openapi: string
  readonly security: readonly object[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly [member: string]: unknown
}

/** The parts of the service, in the order of the document. */
const tags = {
  Health: 'Whether the service runs and can do its work.',
  Accounts: 'Registration, login and password reset.',
  Users: 'The users.',
  Problems: 'Problems with their test cases and categories.',
  Packages: 'Problems as packages: import, export, files and verification.',
  Submissions: 'Submitted programs and their verdicts.',
  Runs: 'Programs that run on the user’s own input, without a verdict.',
  Languages: 'The programming languages.',
  Judges: 'The workers that judge.',
  Events: 'Contests with their participants, problems, submissions and standings.',
  Teams: 'The teams of events that have teams.',
  Questions: 'Clarifications during an event.',
  Notifications: 'The user’s notifications.',
  Changes: 'Streams of server-sent events, which tell what to request again.',
  Pages: 'Pages for browsers, which use this API.',
  'Contest API': 'Contests for tools that speak the Contest API, version 2026-01.',
  Documentation: 'This document.',
}

/** Describes every route as OpenAPI 3.1. A route without an operation is a type error. */
export function describeApi(
  routesByTag: Readonly<Record<keyof typeof tags, readonly Route<keyof typeof operations>[]>>,
  limits: Limits,
): ApiDocument {
  const groups = Object.entries(routesByTag)
  const routes = groups.flatMap(([, own]) => own)
  const collected: Components = { schemas: new Map(), responses: new Map(), parameters: new Map() }
  const paths: Record<string, Record<string, object>> = {}
  for (const [tag, own] of groups) {
    for (const route of own) {
      const { path, names } = describePath(route, routes)
      const operation = describeOperation(route, operations[route.name], tag, names, limits, collected)
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Judge Data Layer',
      version: readVersion(),
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: usualSecurity,
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: sortByName(collected.schemas),
      responses: sortByName(collected.responses),
      headers,
      parameters: { ...requestHeaders, ...sortByName(collected.parameters) },
      securitySchemes,
    },
  }
}

/** OpenAPI has one name for a path parameter: `id` where two methods use different names. */
function describePath(route: Route, routes: readonly Route[]): { path: string; names: string[] } {
  const shape = shapeOf(route.url)
  const alike = routes.filter((other) => shapeOf(other.url) === shape).map((other) => namesOf(other.url))
  const names = namesOf(route.url).map((name, index) =>
    alike.every((other) => other[index] === name) ? name : 'id',
  )
  let index = 0
  return { path: route.url.replaceAll(/:\w+/g, () => `{${names[index++]}}`), names }
}

const sortByName = (named: ReadonlyMap<string, object>) =>
  Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1)))

const shapeOf = (url: string) => url.replaceAll(/:\w+/g, ':')

/** Rules that hold for every route, in Markdown. */
const introduction = `
The data layer of an online judge: users, problems with their test cases, submissions, custom-input
runs, contests, teams, clarification questions and notifications.

**Credentials.** \`POST /v1/basic_login\` returns a token. Send it raw in the \`Authorization\`
header, without \`Bearer\`. Judge workers get their token from \`POST /v1/login_judge\`.

**Callers.** \`x-callers\` of a route says who may call it. A *user* is everyone with a valid token,
judges and admins included; *self* is the user in the path, and *owner* the author of the submission.
*Everyone if public*: requests without the header see contests whose \`scoreboard\` is \`public\`. For
all others they get 401, after a 400 if the request is invalid.

**Bodies** are JSON in UTF-8. Unknown fields are ignored; routes without a body accept an empty one.
Text must not contain U+0000 or lone surrogates; in fields marked \`x-text: printed\` or
\`message\` these become U+FFFD, and a message loses its other control and direction characters, but no
line breaks and tabs. \`x-max-bytes\` is the limit of a text in bytes of UTF-8, \`x-max-body-bytes\` the limit of
the whole body. Fields marked \`x-visible\` are stored in NFC and without outer white space. They must
not contain invisible, control or direction characters; ZWJ and ZWNJ are allowed between letters. The
name of a user or a team (\`x-visible: owner\`) must not be \`Deleted user\`.

**Instants** in responses are RFC 3339 in UTC. Fields marked \`x-instant\` accept any ISO 8601
date-time; without an offset it is UTC. A field without a value is absent, not null.

**Lists** are whole unless \`limit\` is given; then the \`Link\` header has the next page. A list of
more than 128 MiB gets 400 with a request for \`limit\`. A page of long texts may have fewer items
than \`limit\`.

**Errors** have one body, \`{"error", "code", "message"}\`, and are checked in this order: 401, 403,
429, 413, 400, then errors that depend on stored data (404, 409, 403). Unknown routes get 404 with
the same body. \`GET\` routes respond to \`HEAD\` too. Any route may respond with 500 or 503 and a
\`request_id\`. Malformed HTTP gets 400 without CORS headers, and the connection is closed.

**Polling.** A submission is judged when its \`status\` is no longer \`PENDING\`: poll
\`GET /v1/submissions/{submission_id}/status\` with growing pauses.

**Judging.** A worker reads the durable queue \`submission_queue\` (configurable); its messages are
\`{"type": "submission" | "input", "id"}\`. The worker reads the submission and
\`GET /v1/problem_description/{id}/tests\`, or the run alone, stores the verdict with \`PATCH\`, and
then acknowledges the message. Messages may arrive more than once: skip anything that is no longer
\`PENDING\`.

**Examples** tell one story with one set of records: Ada runs a practice league, Ulla and Viktor are
a team, and Wim has just joined.
`.trim()

/** The headers of responses. */
const headers = {
  'X-Request-Id': {
    description: 'Identifies the request in the service’s log.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  ETag: {
    description:
      'The version of the response for this caller. Send it as `If-None-Match` with the next request.',
    required: true,
    schema: { type: 'string', pattern: '^W/"[!#-~]+"$' },
  },
  Link: {
    description: 'With `limit`: the next page, if there is one, as `<…>; rel="next"`.',
    schema: { type: 'string' },
  },
  ProgressLocation: {
    description: 'The path of the resource that reports the progress.',
    schema: { type: 'string' },
  },
  'WWW-Authenticate': {
    description: 'The scheme that the Contest API accepts besides tokens: HTTP Basic.',
    required: true,
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
}

const optionalHeader = (name: string, description: string, schema: object = { type: 'string' }) => ({
  [name]: { name, in: 'header', required: false, description, schema },
})

/** The headers of requests. An example would fill the form at `/docs`, with one key for all. */
const requestHeaders = {
  ...optionalHeader(
    'Idempotency-Key',
    'A key that the client chooses for this request, such as a UUID. The same key and body within 24 hours get the same 201 and create nothing new; another body gets 409.',
    { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  ),
  ...optionalHeader(
    'Judge-Capabilities',
    'Only for judge workers: what they support beyond plain comparison, as a list of `validation/1`, `case-flags/1`, `test-groups/1`, `limits/1`, `verification/1` and `program-files/1`, in any case. Without a name that the problem needs, the status is 409.',
  ),
  ...optionalHeader(
    'If-None-Match',
    'The `ETag` of earlier responses. If the response has not changed since, the status is 304 without a body. Browsers send it by themselves.',
  ),
  ...optionalHeader(
    'Last-Event-ID',
    'The last `id` of an earlier stream of this route: the events since then follow `ready`. If the id is unknown or too old, an event `reset` follows instead. Browsers send it by themselves.',
  ),
}

const inAuthorization = (description: string) => ({
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description,
})

/** The credentials, all in the Authorization header. */
const securitySchemes = {
  token: inAuthorization('The token of a login, raw: without `Bearer`.'),
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'The e-mail and the password of an account, only for the Contest API.',
  },
  bridgeSecret: inAuthorization('The service’s `WEB_BRIDGE_SECRET`, raw.'),
  judgePassword: inAuthorization('The service’s `JUDGE_PASSWORD`, raw.'),
  scoreboardToken: inAuthorization('A scoreboard token of the event, raw.'),
}

/** The text and examples of every operation by operationId. */
const operations: Operations = {
  ...serviceOperations,
  ...accountOperations,
  ...problemOperations,
  ...problemPackageOperations,
  ...submissionOperations,
  ...rejudgingOperations,
  ...judgingOperations,
  ...eventOperations,
  ...eventProblemOperations,
  ...standingsOperations,
  ...teamOperations,
  ...clarificationOperations,
  ...changeStreamOperations,
  ...contestApiOperations,
  ...webhookOperations,
}
