import { fastify } from 'fastify'
import { portOf } from '../../local-servers/free-ports.ts'
import { serveParent } from '../child.ts'

/** The response of the bare Fastify ceiling. */
export interface ConstantResponse {
  readonly status: number
  readonly body: string
}

/** Replies with the port. */
serveParent(async ({ status, body }: ConstantResponse): Promise<number> => {
  const app = fastify()
  app.all('/*', async (_request, reply) => {
    reply.code(status)
    return status === 204 ? reply.send() : reply.type('application/json; charset=utf-8').send(body)
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return portOf(app.server.address())
})
