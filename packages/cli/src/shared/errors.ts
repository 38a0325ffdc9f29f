import { JudgeApiError, NoResponseError } from '@judge-data-layer/client/errors'
import { CommanderError } from 'commander'

/** The exit codes of every command. */
export const EXIT = { done: 0, rejected: 1, usage: 2, unreachable: 3, interrupted: 130 } as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** A failed command: its message is for people. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: ExitCode
  /** The code of `--json`. */
  readonly code: string

  constructor(message: string, exitCode: ExitCode, code: string) {
    super(message)
    this.exitCode = exitCode
    this.code = code
  }
}

/** A command line, a file or a setting that the user must correct; exit code 2. */
export const usageError = (message: string): CliError => new CliError(message, EXIT.usage, 'USAGE')

/** Something that does not exist; exit code 1. */
export const notFound = (message: string): CliError => new CliError(message, EXIT.rejected, 'NOT_FOUND')

/** The only item. Throws an error with a message if there is none, or more than one. */
export function takeOnly<Item>(items: readonly Item[], none: string, several: string): Item {
  const [item, ...others] = items
  if (item === undefined) throw notFound(none)
  if (others.length > 0) throw usageError(several)
  return item
}

/** A package that the service would refuse; exit code 1. */
export const tooLarge = (message: string): CliError =>
  new CliError(message, EXIT.rejected, 'PAYLOAD_TOO_LARGE')

/** The service may have done its work all the same; exit code 1. */
export const tooLate = (advice: string): CliError =>
  new CliError(`The service did not respond in time.\n${advice}`, EXIT.rejected, 'TIMEOUT')

/** No login, or a wrong one; exit code 1. */
export const unauthorized = (message: string): CliError =>
  new CliError(message, EXIT.rejected, 'UNAUTHORIZED')

/** The error of a command that needs a login. */
export const notLoggedIn = (url: string): CliError =>
  unauthorized(`You are not logged in to ${url}. Log in with: judge login`)

/** An error as `--json` shows it. */
export interface DescribedError {
  /** A code of the service, or one of the command line. */
  readonly code: string
  readonly message: string
}

/** Finds the exit code of an error. */
export function exitCodeOf(err: unknown): ExitCode {
  if (err instanceof CliError) return err.exitCode
  if (err instanceof NoResponseError) return EXIT.unreachable
  if (err instanceof CommanderError) return err.exitCode === 0 ? EXIT.done : EXIT.usage
  return isFileError(err) ? EXIT.usage : EXIT.rejected
}

/** Describes an error; for the service's own errors this is the service's message. */
export function describeError(err: unknown, url: string | undefined): DescribedError {
  if (err instanceof JudgeApiError || err instanceof CliError) return { code: err.code, message: err.message }
  if (err instanceof NoResponseError) return { code: 'UNREACHABLE', message: describeUnreachable(err, url) }
  if (err instanceof CommanderError) return { code: 'USAGE', message: describeUsage(err) }
  if (isFileError(err)) return { code: 'USAGE', message: describeFileError(err) }
  return { code: 'INTERNAL', message: err instanceof Error ? err.message : String(err) }
}

/** Advice for the user after an error of the service; empty if the message says it. */
export function adviceFor(err: unknown): string {
  if (!(err instanceof JudgeApiError)) return ''
  if (err.status === 401) return 'Log in with: judge login'
  return err.retryAfterSeconds === undefined ? '' : `Try again in ${err.retryAfterSeconds} s.`
}

function describeUsage({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'A command is missing (see --help).'
  return message.replace(/^error: /, '')
}

function describeUnreachable(err: NoResponseError, url = 'the service'): string {
  return `${url}: ${err.message}\nThe service must run there. Set another address with --url or JUDGE_URL.`
}

function describeFileError({ code = '', path = '', message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return `${path}: there is no such file or folder.`
  if (code === 'EACCES' || code === 'EPERM') return `${path}: you have no permission for it.`
  return `${path}: ${message}`
}

/** Errors of the file system, such as a file that does not exist. */
function isFileError(err: unknown): err is NodeJS.ErrnoException {
  return err instanceof Error && 'syscall' in err && 'path' in err
}
