import { parseArgs } from 'node:util'
import { type Command, readSeed, readWhole } from '../local-servers/command-line.ts'

export interface Options {
  readonly seconds: number
  readonly seed: number
  /** The one operation to ask; undefined for all. */
  readonly operation: string | undefined
}

const options = {
  seconds: { type: 'string', value: 'N', default: '60', meaning: 'how long it asks' },
  seed: {
    type: 'string',
    value: 'N',
    meaning: 'decides what is asked (default: a random one, which is printed)',
  },
  operation: {
    type: 'string',
    value: 'NAME',
    meaning: 'the one operation of the document to ask (default: all)',
  },
} as const satisfies Command['options']

/** `npm run fuzz`, for its help. */
export const fuzzCommand: Command = {
  usage: 'npm run fuzz -- [OPTION...]',
  purpose: [
    'Asks the whole service at random, with requests made from its OpenAPI document, and prints every answer that is not right.',
    'FUZZ_DATABASE_URL or TEST_DATABASE_URL must name a PostgreSQL server; FUZZ_AMQP_URL or TEST_AMQP_URL may name RabbitMQ.',
    'It exits with 1 when it has found something.',
  ].join('\n'),
  options,
}

/** Reads the command line. Throws `UsageError`, or what `parseArgs` does, where it is not what it must be. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({ args: [...args], options })
  return {
    seconds: readWhole('seconds', values.seconds, { least: 1, most: 2 ** 31 - 1 }),
    seed: readSeed(values.seed),
    operation: values.operation,
  }
}
