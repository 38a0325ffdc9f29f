import Type, { type TSchema } from 'typebox'
import { statement } from '../../../db/statement.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { ResponseObject } from '../../../http/routing/schema.ts'

const StatusResponse = ResponseObject({ status: Type.String() }, { title: 'ServiceStatus' })

const ServiceResponse = ResponseObject(
  { status: Type.String(), service: Type.String(), health: Type.String(), api: Type.String() },
  { title: 'Service' },
)

const service = { status: 'ok', service: 'judge-data-layer', health: '/health', api: '/v1' }

export const ping = statement({ name: 'ping', columns: { one: 'integer' }, sql: 'select 1 as one' })

/** Three routes say that the process is up; `/ready` says that the database responds too (D39). */
export function healthRoutes() {
  return [
    constantRoute('/', 'describeService', ServiceResponse, service),
    constantRoute('/health', 'checkHealth', StatusResponse, { status: 'ok' }),
    constantRoute('/healthy', 'checkHealthy', StatusResponse, { status: 'ok' }),
    defineRoute('checkReadiness', 'GET /ready', {
      policy: 'none',
      responses: { 200: StatusResponse },
      refusals: ['UNAVAILABLE'],
      handler: async ({ db }) => {
        await db.query(ping).catch((cause) => {
          throw new AppError('UNAVAILABLE', 'The database is out of reach', { cause })
        })
        return ok('{"status":"ready"}')
      },
    }),
  ]
}

function constantRoute<const N extends string>(url: string, name: N, schema: TSchema, response: object) {
  const body = JSON.stringify(response)
  return defineRoute(name, `GET ${url}`, {
    policy: 'none',
    responses: { 200: schema },
    handler: async () => ok(body),
  })
}
