import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

export interface Options {
  readonly seed: number
  /** The one scenario to run; undefined for all. */
  readonly scenario: string | undefined
  readonly isShort: boolean
  /** Files to write the results to. */
  readonly json: string | undefined
  readonly markdown: string | undefined
}

/** Reads `--seed N`, `--scenario NAME`, `--short`, `--json FILE` and `--markdown FILE`. Throws where one is not what it must be. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      scenario: { type: 'string' },
      short: { type: 'boolean', default: false },
      json: { type: 'string' },
      markdown: { type: 'string' },
    },
  })
  if (!/^\d+$/.test(values.seed)) throw new Error('--seed must be a whole number')
  const { scenario, short: isShort, json, markdown } = values
  return { seed: Number(values.seed), scenario, isShort, json, markdown }
}
