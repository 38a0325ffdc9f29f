import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A child process that handles one request after the other. */
export type Child<Request extends object, Reply> = ReturnType<typeof startChild<Request, Reply>>

/** Starts a module as a child process. */
export function startChild<Request extends object, Reply>(
  moduleUrl: string,
  nodeOptions: readonly string[] = [],
) {
  const child = fork(fileURLToPath(moduleUrl), {
    execArgv: [...nodeOptions, ...process.execArgv],
    serialization: 'advanced',
  })
  const ended = once(child, 'exit')
  const failure = ended.then(([code]) => ({ error: `a child process ended with ${code}` }))
  return {
    pid: Number(child.pid),
    async call(request: Request): Promise<Reply> {
      const received = once(child, 'message')
      child.send(request)
      const message = await Promise.race([received.then(([first]) => first), failure])
      if (typeof message.error === 'string') throw new Error(message.error)
      return message.reply
    },
    async end() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Handles the requests of the parent process. The parent throws the errors of `handle`. */
export function serveParent<Request, Reply>(handle: (request: Request) => Promise<Reply>): void {
  process.on('message', (request: Request) => {
    handle(request).then(
      (reply) => process.send?.({ reply }),
      (err: unknown) =>
        process.send?.({ error: err instanceof Error ? (err.stack ?? err.message) : String(err) }),
    )
  })
  process.on('disconnect', () => process.exit(0))
}
