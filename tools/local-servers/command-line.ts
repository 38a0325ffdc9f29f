import { randomInt } from 'node:crypto'
import { Command, CommanderError, InvalidArgumentError } from 'commander'

const SEEDS = 2 ** 31

/** A command of package.json. Its `parse` throws `CommanderError`, also for `--help`. */
export const createCommand = (script: string, description: string): Command =>
  new Command(`npm run ${script} --`)
    .description(description)
    .configureOutput({ writeErr: () => {} })
    .exitOverride()

/** Reads this process's options. Exits with 0 after `--help`, and with 2 after a wrong option. */
export function readCommandLine<Options>(readOptions: (args: readonly string[]) => Options): Options {
  try {
    return readOptions(process.argv.slice(2))
  } catch (err) {
    if (!(err instanceof CommanderError)) throw err
    if (err.exitCode !== 0) console.error(`${err.message.replace('error: ', '').split('\n')[0]} (see --help)`)
    process.exit(err.exitCode === 0 ? 0 : 2)
  }
}

/** Makes the parser of a whole number between two bounds. */
export const wholeNumber = (least: number, most: number) => (text: string) => {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
}

/** Adds `--seed`, which is random by default. */
export const addSeed = (command: Command, meaning: string): Command =>
  command.option(
    '--seed <N>',
    `${meaning} (default: random, printed)`,
    wholeNumber(0, SEEDS - 1),
    randomInt(SEEDS),
  )
