import { randomInt } from 'node:crypto'

/** An option as `parseArgs` takes it, with what the help says of it. */
export interface CommandOption {
  readonly type: 'string' | 'boolean'
  readonly default?: string | boolean
  /** What stands for its value in the help. */
  readonly value?: string
  readonly meaning: string
}

/** A command of the project, as its help tells of it. */
export interface Command {
  /** How it is called. */
  readonly usage: string
  /** What it does, in lines that a terminal shows whole. */
  readonly purpose: string
  readonly options: Readonly<Record<string, CommandOption>>
}

/** A command line that is not what it must be; the message says what is wrong, for whoever has typed it. */
export class UsageError extends Error {}

/** The text that `--help` prints: what the command does, and its options with what holds without them. */
export function describeCommand({ usage, purpose, options }: Command): string {
  const rows = [
    ...Object.entries(options).map(([name, option]) => [headOf(name, option), tellOf(option)] as const),
    ['--help', 'prints this'] as const,
  ]
  const width = Math.max(...rows.map(([head]) => head.length))
  const lines = rows.map(([head, tell]) => `  ${head.padEnd(width)}  ${tell}`)
  return `${usage}\n\n${purpose}\n\n${lines.join('\n')}`
}

/**
 * Reads what this process was called with. Ends it where that asks for help, with 0, and where it is wrong, with 2 and one line that says how.
 * What `parseArgs` refuses is wrong, and what is a `UsageError`; anything else that `readOptions` throws is thrown on.
 */
export function readCommandLine<Options>(
  command: Command,
  readOptions: (args: readonly string[]) => Options,
): Options {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    console.log(describeCommand(command))
    process.exit(0)
  }
  try {
    return readOptions(args)
  } catch (err) {
    const wrong = describeMisuse(err)
    if (wrong === undefined) throw err
    console.error(`${wrong} (see --help)`)
    process.exit(2)
  }
}

/** Reads the value of an option that is a whole number in these bounds. Throws `UsageError` where it is none. */
export function readWhole(
  name: string,
  text: string,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  throw new UsageError(`--${name} must be a whole number from ${least} to ${most}, not '${text}'`)
}

/** Reads a seed, as `readWhole` does; a random one where none is given. */
export function readSeed(text: string | undefined): number {
  return text === undefined ? randomInt(SEEDS) : readWhole('seed', text, { least: 0, most: SEEDS - 1 })
}

const SEEDS = 2 ** 31

const headOf = (name: string, { value }: CommandOption) =>
  value === undefined ? `--${name}` : `--${name} ${value}`

const tellOf = ({ meaning, default: usual }: CommandOption) =>
  typeof usual === 'string' && usual !== '' ? `${meaning} (default: ${usual})` : meaning

/** Undefined for what is no fault of the command line. */
function describeMisuse(err: unknown): string | undefined {
  if (err instanceof UsageError) return err.message
  if (!(err instanceof Error && 'code' in err && String(err.code).startsWith('ERR_PARSE_ARGS_')))
    return undefined
  // What `parseArgs` says besides advises on what no command here can do.
  return err.message.split(/\.\s+(?=[A-Z])/, 1)[0]
}
