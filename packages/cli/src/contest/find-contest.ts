import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Command, Help } from 'commander'
import { usageError } from '../shared/errors.ts'
import { checkService, LOCK_NAME, lockFileOf, readLock } from './lock.ts'
import { ownTimeZone } from './times.ts'

/** The largest id that the service knows. */
const MOST = 2 ** 31 - 1

/** The help of the argument or option that names a contest. */
export const CONTEST_HELP = `id, or contest file or its folder (default: ${LOCK_NAME} in this folder)`

/** A contest that the user has named. */
export interface NamedContest {
  readonly id: number
  /** Of its contest file, or else of this computer. */
  readonly timeZone: string
  /** Where people reach the service: of its contest file, or else the address of the command. */
  readonly address: string
  /** True if the name was a file or a folder, or left out. */
  readonly hasFile: boolean
}

/**
 * Finds a contest: the name is an id, or the path of a contest file, its lock or their folder;
 * without a name the lock is in the current folder. `url` is the address of the service. Throws a
 * usage error.
 */
export async function locateContest(name: string | undefined, url: string): Promise<NamedContest> {
  if (name !== undefined && /^\d+$/.test(name))
    return { id: readId(name), timeZone: ownTimeZone(), address: url, hasFile: false }
  const file = await findLockFile(name)
  const lock = await readLock(file)
  if (lock === undefined) throw missingLock(name, file)
  checkService(file, lock, url)
  const { contest: id, time_zone: timeZone = ownTimeZone(), address = url } = lock
  if (id !== undefined) return { id, timeZone, address, hasFile: true }
  throw usageError(`${file}: has no contest yet. Create it with: judge contest apply`)
}

function readId(name: string): number {
  const id = Number(name)
  if (id >= 1 && id <= MOST) return id
  throw usageError(`${name}: is not the id of a contest. List the contests with: judge contest list`)
}

async function findLockFile(name: string | undefined): Promise<string> {
  if (name === undefined) return LOCK_NAME
  if ((await stat(name)).isDirectory()) return join(name, LOCK_NAME)
  return name.endsWith('.lock') ? name : lockFileOf(name)
}

function missingLock(name: string | undefined, file: string) {
  if (name === undefined)
    return usageError(
      `Which contest? This folder has no ${LOCK_NAME}. Name the contest by its id (judge contest list), or by the path of its contest file.`,
    )
  return usageError(
    `${file}: there is no such file, so the contest is not created yet. Create it with: judge contest apply ${name}`,
  )
}

/** The name of the argument that stands for several. */
const ARGUMENTS = 'args'

/** Adds the argument of commands that take only a contest. */
export const takeContest = (command: Command) => command.argument('[contest]', CONTEST_HELP)

/**
 * Adds the arguments of a command whose contest may be left out: commander wants optional arguments
 * last. `splitArguments` reads them.
 */
export function takeArguments(command: Command, ...names: readonly string[]): Command {
  const usage = ['[options]', '[contest]', ...names.map((name) => `<${name}>`)].join(' ')
  return command.usage(usage).argument(`<${ARGUMENTS}...>`, `[contest] is the ${CONTEST_HELP}`)
}

/** Splits arguments into the contest, if it is given, and the ones with these names. */
export function splitArguments(args: readonly string[], ...names: readonly string[]) {
  const spare = args.length - names.length
  if (spare === 0) return { contest: undefined, others: args }
  if (spare === 1) return { contest: args[0], others: args.slice(1) }
  const wanted = names.map((name) => `<${name}>`).join(' ')
  const quotes = spare > 1 ? ' Write texts of several words in quotes.' : ''
  throw usageError(`The arguments must be: [contest] ${wanted}.${quotes}`)
}

/** Lists such commands in the help of their parent as they are written. */
export function showArguments(parent: Command): void {
  const help = new Help()
  const isSplit = (command: Command) => command.registeredArguments.some((one) => one.name() === ARGUMENTS)
  parent.configureHelp({
    ...parent.configureHelp(),
    subcommandTerm: (command) =>
      isSplit(command) ? `${command.name()} ${command.usage()}` : help.subcommandTerm(command),
  })
}
