import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { usageError } from './errors.ts'
import type { Io } from './io.ts'
import { makePrintable } from './text.ts'

/** Asks on the terminal, and shows what is typed. Throws a usage error without a terminal. */
export function askText(io: Io, question: string, option: string): Promise<string> {
  if (io.stdin.isTTY !== true) throw usageError(`Without a terminal, give ${option}.`)
  return ask(io, question, io.stderr)
}

/** Asks for a yes. Else throws a usage error: with `stopped`, or `option` without a terminal. */
export async function confirm(io: Io, question: string, stopped: string, option = '--yes'): Promise<void> {
  const answer = await askText(io, `${question} [y/N] `, option)
  if (!/^y(es)?$/i.test(answer.trim())) throw usageError(`Stopped: ${stopped}.`)
}

/** Asks on the terminal, and shows nothing of what is typed. */
export async function askSecret(io: Io, question: string, option: string): Promise<string> {
  if (io.stdin.isTTY !== true) throw usageError(`Without a terminal, give ${option}.`)
  io.stderr.write(makePrintable(question))
  try {
    return await ask(io, '', new Writable({ write: (_chunk, _encoding, done) => done() }))
  } finally {
    io.stderr.write('\n')
  }
}

/** Reads all of stdin without the last line break. */
export async function readStdin({ stdin }: Io): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
    .toString()
    .replace(/\r?\n$/, '')
}

function ask({ stdin }: Io, question: string, output: NodeJS.WritableStream): Promise<string> {
  const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 })
  return new Promise<string>((resolve, reject) => {
    const stop = () => reject(usageError('Stopped: nothing was entered.'))
    lines.once('SIGINT', stop).once('close', stop)
    lines.question(makePrintable(question), resolve)
  }).finally(() => lines.close())
}
