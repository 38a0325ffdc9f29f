import { type Command, Help } from 'commander'
import { usageError } from '../shared/errors.ts'
import { CONTEST_HELP } from './find-contest.ts'

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
export function splitArguments(
  args: readonly string[],
  ...names: readonly string[]
): { readonly contest: string | undefined; readonly others: readonly string[] } {
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
