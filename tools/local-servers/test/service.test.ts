import { expect, it, onTestFinished } from 'vitest'
import { makeServerFolder } from '../server-folder.ts'
import { type ServerCommand, startServerProcess } from '../server-process.ts'
import { makeSecrets, startLocalService } from '../service.ts'

/** A server that consists of this script. */
function serve(script: string) {
  return {
    ...{ name: 'a server', command: process.execPath, args: ['-e', script], options: {} },
    ...{ readyWithinMs: 20_000, lastSignal: 'SIGKILL' },
  } as const satisfies Partial<ServerCommand>
}

const WAITING = 'setInterval(() => {}, 1000)'

it('starts a service without reading its log, and ends it in order while it is frozen', async () => {
  const folder = await makeServerFolder('service')
  onTestFinished(() => folder.remove())
  const lines: string[] = []
  const service = await startLocalService({
    variables: { ...makeSecrets(), DATA_DIR: folder.path },
    onLine: (line) => lines.push(line),
    isLogIgnored: true,
  })
  onTestFinished(() => service.killAll())
  expect((await fetch(`${service.url}/ready`)).status).toBe(200)
  service.freeze()
  await service.stop()
  expect(await service.ended).toBe(0)
  expect(lines).toEqual([])
})

it('kills a server that ignores its signal', async () => {
  const deaf = `process.on('SIGTERM', () => {}); ${WAITING}; console.log('ready')`
  const server = await startServerProcess({ ...serve(deaf), isReady: (line) => line === 'ready' })
  onTestFinished(() => server.killAll())
  expect(await server.end('SIGTERM', 100)).toBe(null)
  expect(server.isRunning()).toBe(false)
})

it('polls a server until it is ready, and starts it again after its end', async () => {
  let polls = 0
  const askReady = async () => {
    polls += 1
    return polls >= 3
  }
  const server = await startServerProcess({ ...serve(WAITING), askReady })
  onTestFinished(() => server.killAll())
  expect(polls).toBe(3)
  const first = server.pid
  await server.killAll()
  await server.start()
  expect([server.isRunning(), server.pid === first]).toEqual([true, false])
})

it('rejects a server that is not ready in time, ends at once or cannot be started', async () => {
  let polls = 0
  const askReady = async () => {
    polls += 1
    return false
  }
  const start = (command: ReturnType<typeof serve>, given: Partial<ServerCommand> = {}) =>
    startServerProcess({ ...command, ...given, askReady })
  await expect(start(serve(WAITING), { readyWithinMs: 200 })).rejects.toThrow('a server did not start')
  expect(polls).toBeGreaterThan(0)
  await expect(start(serve('process.exit(3)'))).rejects.toThrow('a server did not start')
  await expect(start(serve(''), { command: '/no/such/program' })).rejects.toThrow(
    'a server cannot be started',
  )
})
