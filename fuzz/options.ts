import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

export interface Options {
  readonly seconds: number
  readonly seed: number
  /** The one operation to ask; undefined for all. */
  readonly operation: string | undefined
}

/** Reads `--seconds N`, `--seed N` and `--operation NAME`. Throws where one is not what it must be. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '60' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      operation: { type: 'string' },
    },
  })
  return {
    seconds: readWhole('seconds', values.seconds, 1),
    seed: readWhole('seed', values.seed, 0),
    operation: values.operation,
  }
}

function readWhole(name: string, text: string, least: number): number {
  const value = Number(text)
  const isWhole = /^\d+$/.test(text) && value >= least && value < 2 ** 31
  if (!isWhole) throw new Error(`--${name} must be a whole number from ${least} to ${2 ** 31 - 1}`)
  return value
}
