import { createServer } from 'node:http'
import { portOf } from '../../local-servers/free-ports.ts'

/** Serves `GET /n` or another method with the n-th body; 500 if it fails. Returns the port. */
export async function serveBodies(find: (n: number) => Promise<string>): Promise<number> {
  const server = createServer((request, response) => {
    request.resume()
    find(Number(request.url?.slice(1))).then(
      (body) => {
        const headers = {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
        }
        response.writeHead(200, headers).end(body)
      },
      (err: unknown) => response.writeHead(500, { 'content-length': 0 }).end(console.error(err)),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return portOf(server.address())
}
