import Type from 'typebox'
import { statement } from '../../db/database.ts'
import { AppError } from '../../http/routing/errors.ts'
import { ok } from '../../http/routing/responses.ts'
import { defineRoute, type Route } from '../../http/routing/route.ts'
import { NoFields, ResponseObject } from '../../http/routing/schema.ts'
import { healthDocs } from '../../openapi/operations/health.ts'

const StatusResponse = ResponseObject({ status: Type.String() }, { title: 'ServiceStatus' })

const ServiceResponse = ResponseObject(
  {
    status: Type.String(),
    service: Type.String(),
    health: Type.String(),
    api: Type.String(),
  },
  { title: 'Service' },
)

const ping = statement<{ one: number }>('ping', 'select 1 as one')

/** The health routes: the first three say that the process is up, `/ready` that the database answers too (D39). */
export function healthRoutes(): Route[] {
  return [
    constantRoute('/', 'describeService', 'Say what this is', ServiceResponse, {
      status: 'ok',
      service: 'judge-data-layer',
      health: '/health',
      api: '/v1',
    }),
    constantRoute('/health', 'checkHealth', 'Say that the process is up', StatusResponse, { status: 'ok' }),
    constantRoute('/healthy', 'checkHealthy', 'Say that the process is up', StatusResponse, { status: 'ok' }),
    defineRoute({
      method: 'GET',
      url: '/ready',
      name: 'checkReadiness',
      summary: 'Say whether the service can do its work',
      docs: healthDocs.checkReadiness,
      policy: 'none',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: NoFields,
        query: NoFields,
        body: undefined,
        answers: { 200: StatusResponse },
        refusals: ['UNAVAILABLE'],
      },
      handler: async ({ db }) => {
        await db.query(ping).catch((cause) => {
          throw new AppError('UNAVAILABLE', 'The database is out of reach', { cause })
        })
        return ok('{"status":"ready"}')
      },
    }),
  ]
}

function constantRoute(
  url: string,
  name: keyof typeof healthDocs,
  summary: string,
  schema: typeof StatusResponse | typeof ServiceResponse,
  answer: object,
) {
  const body = JSON.stringify(answer)
  return defineRoute({
    method: 'GET',
    url,
    name,
    summary,
    docs: healthDocs[name],
    policy: 'none',
    limit: 'none',
    bodyLimit: 'body',
    schema: { params: NoFields, query: NoFields, body: undefined, answers: { 200: schema }, refusals: [] },
    handler: async () => ok(body),
  })
}
