import { createJudgeClient, type JudgeClient } from '@judge-data-layer/client'
import { JudgeApiError } from '@judge-data-layer/client/errors'
import type { Command } from 'commander'
import {
  adviceFor,
  type DescribedError,
  describeError,
  type ExitCode,
  exitCodeOf,
  notLoggedIn,
} from './errors.ts'
import { hasColours, type Io, printNote, printText } from './io.ts'
import { readSettings, type Settings } from './settings.ts'
import { createWriter, formatJson, type Writer } from './text.ts'

/** The service, the clients and the streams of a command. */
export interface Context extends Settings {
  readonly client: JudgeClient
  readonly io: Io
  readonly isJson: boolean
  /** Makes texts for stdout. */
  readonly writer: Writer
}

/** The result of a command. */
export interface Outcome {
  /** The document of `--json`. */
  readonly json: unknown
  /** The text for people; nothing is printed if it is empty. */
  readonly text: string
  readonly exitCode?: ExitCode
  /** Errors of parts of the work, for stderr. */
  readonly failures?: readonly Failure[]
}

/** An error for people, and what they can do about it. */
export interface Failure extends DescribedError {
  readonly advice: string
}

/** Runs the actions of commands and prints their results. */
export type Cli = ReturnType<typeof createCli>

/** Makes the runner of one command line. */
export function createCli(io: Io) {
  let exitCode: ExitCode = 0
  return {
    io,
    /** The exit code of the last action. */
    get exitCode(): ExitCode {
      return exitCode
    },
    /** Makes the action of a command, for its arguments and options. It never throws. */
    action: <Args extends unknown[]>(act: (ctx: Context, ...args: Args) => Promise<Outcome>) =>
      async function (this: Command, ...args: Args): Promise<void> {
        const { url, json: isJson = false } = this.optsWithGlobals<{
          readonly url?: string
          readonly json?: true
        }>()
        let settings: Settings | undefined
        try {
          settings = await readSettings(url, io.env)
          const outcome = await act({ io, isJson, ...connect(settings, io) }, ...args)
          exitCode = outcome.exitCode ?? 0
          if (isJson) printJson(io, outcome.json)
          else if (outcome.text !== '') printText(io.stdout, outcome.text)
          for (const failure of outcome.failures ?? []) printError(io, failure)
        } catch (cause) {
          const err = settings === undefined ? cause : explainAnonymity(cause, settings)
          exitCode = exitCodeOf(err)
          const described = describeError(err, settings?.url)
          if (isJson) printJson(io, { error: described })
          printError(io, { ...described, advice: adviceFor(err) })
        }
      },
  }
}

/** Without a token, the service's own message could not name the service. */
function explainAnonymity(err: unknown, { token, url }: Settings): unknown {
  const isAnonymous = token === undefined && err instanceof JudgeApiError && err.code === 'UNAUTHORIZED'
  return isAnonymous ? notLoggedIn(url) : err
}

function printError(io: Io, { message, advice }: Failure): void {
  const label = createWriter(hasColours(io.stderr, io.env)).paint({ text: 'error:', colour: 'red' })
  io.stderr.write(`${label} `)
  printNote(io, advice === '' ? message : `${message}\n${advice}`)
}

function connect({ url, token }: Settings, { stdout, env }: Io) {
  const client = createJudgeClient({ baseUrl: url, ...(token !== undefined && { token }) })
  const writer = createWriter(hasColours(stdout, env))
  return { url, token, client, writer }
}

/** Prints the document of `--json`. */
export function printJson(io: Io, document: unknown): void {
  io.stdout.write(`${formatJson(document, 2)}\n`)
}
