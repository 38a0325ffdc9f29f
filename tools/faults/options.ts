import { parseArgs } from 'node:util'
import { type Command, readSeed, UsageError } from '../local-servers/command-line.ts'
import { EMBEDDED } from './embedded.ts'
import { scenarios } from './scenarios.ts'

export interface Options {
  readonly seed: number
  /** The one scenario to run; undefined for all. */
  readonly scenario: string | undefined
  readonly isShort: boolean
  /** Files to write the results to. */
  readonly json: string | undefined
  readonly markdown: string | undefined
}

const names = [EMBEDDED, ...scenarios.map(({ name }) => name)]

const options = {
  scenario: { type: 'string', value: 'NAME', meaning: 'the one scenario to run (default: all)' },
  short: { type: 'boolean', default: false, meaning: 'each fault once, and for a shorter time' },
  seed: {
    type: 'string',
    value: 'N',
    meaning: 'decides the moments of the faults (default: a random one, which is printed)',
  },
  json: {
    type: 'string',
    value: 'FILE',
    meaning: 'where the results are written as JSON (default: nowhere)',
  },
  markdown: {
    type: 'string',
    value: 'FILE',
    meaning: 'where their table is written as Markdown (default: nowhere)',
  },
} as const satisfies Command['options']

/** `npm run faults`, for its help. */
export const faultsCommand: Command = {
  usage: 'npm run faults -- [OPTION...]',
  purpose: [
    'Kills, stops, purges and freezes every part of the system under load, and holds the database against what clients and workers saw.',
    'It starts a PostgreSQL and a RabbitMQ of its own. It exits with 1 when something was not right.',
    'The scenarios:',
    ...names.map((name) => `  ${name}`),
  ].join('\n'),
  options,
}

/** Reads the command line. Throws `UsageError`, or what `parseArgs` does, where it is not what it must be. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({ args: [...args], options })
  const { scenario, short: isShort, json, markdown } = values
  if (scenario !== undefined && !names.includes(scenario)) {
    throw new UsageError(`--scenario must be one of ${names.join('; ')}, not '${scenario}'`)
  }
  return { seed: readSeed(values.seed), scenario, isShort, json, markdown }
}
