import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listen } from '../support/unusable-servers.ts'

/** Targets on this machine that no program in a sandbox may reach. */
export interface Targets {
  /** An input for programs: the TCP port, abstract socket, process id and secret file. */
  readonly input: string
  /** The text in the secret file and in the judge's environment. */
  readonly secret: string
  /** The number of connections to the judge's sockets. */
  countConnections(): number
  close(): Promise<void>
}

const VARIABLE = 'JUDGE_HOSTILE_SECRET'

/** Opens sockets, writes a secret file and sets a secret variable: programs try to reach them. */
export async function openTargets(mark: string): Promise<Targets> {
  const secret = `secret-${mark}`
  const folder = await mkdtemp(join(tmpdir(), 'judge-secret-'))
  const file = join(folder, 'secret')
  await writeFile(file, secret, { mode: 0o644 })
  process.env[VARIABLE] = secret
  let connections = 0
  const count = () => {
    connections += 1
  }
  const [tcp, abstract] = [createServer(count), createServer(count)]
  const port = await listen(tcp)
  await once(abstract.listen({ path: `\0judge-${mark}` }), 'listening')
  return {
    input: `${port} judge-${mark} ${process.pid} ${file}\n`,
    secret,
    countConnections: () => connections,
    async close() {
      delete process.env[VARIABLE]
      await Promise.all([tcp, abstract].map((server) => once(server.close(), 'close')))
      await rm(folder, { recursive: true })
    },
  }
}
