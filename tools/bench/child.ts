import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A process of the benchmark's own, which answers one question after the other. */
export interface Child<Question, Answer> {
  readonly pid: number
  ask(question: Question): Promise<Answer>
  end(): Promise<void>
}

type Reply = { readonly answer: unknown } | { readonly error: string }

/** Starts a module in a process of its own, with these options for Node besides ours. */
export function startChild<Question extends object, Answer>(
  moduleUrl: string,
  nodeOptions: readonly string[] = [],
): Child<Question, Answer> {
  const child = fork(fileURLToPath(moduleUrl), {
    execArgv: [...nodeOptions, ...process.execArgv],
    serialization: 'advanced',
  })
  const ended = once(child, 'exit')
  return {
    pid: Number(child.pid),
    async ask(question) {
      const message = nextMessage(child)
      child.send(question)
      const given = readReply(await message)
      if ('error' in given) throw new Error(given.error)
      // Both sides of a child are ours, and agree on what a question is answered with.
      return given.answer as Answer
    },
    async end() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`a process of the benchmark ended with ${code}`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.removeListener('exit', onExit)
      resolve(message)
    })
  })
}

/** Throws for what `serveParent` does not send. */
function readReply(message: unknown): Reply {
  if (typeof message === 'object' && message !== null) {
    if ('answer' in message) return { answer: message.answer }
    if ('error' in message && typeof message.error === 'string') return { error: message.error }
  }
  throw new Error('a process of the benchmark sent neither an answer nor an error')
}

/** Answers the questions of the process that started this one; a throw is thrown there. */
export function serveParent<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  process.on('message', (question: Question) => {
    answer(question).then(
      (given) => process.send?.({ answer: given }),
      (err: unknown) =>
        process.send?.({ error: err instanceof Error ? (err.stack ?? err.message) : String(err) }),
    )
  })
  process.on('disconnect', () => process.exit(0))
}
