import { addSeed, createCommand, wholeNumber } from '../local-servers/command-line.ts'

export interface Options {
  readonly seconds: number
  readonly seed: number
  readonly operation?: string
}

const DESCRIPTION = `Sends random requests made from the OpenAPI document to the whole service, and prints
every wrong response. FUZZ_DATABASE_URL or TEST_DATABASE_URL must name a PostgreSQL server;
FUZZ_AMQP_URL or TEST_AMQP_URL may name RabbitMQ. Exits with 1 after a finding.`

/** Reads the command line. Throws `CommanderError`. */
export function readOptions(args: readonly string[]): Options {
  const command = createCommand('fuzz', DESCRIPTION)
    .option('--seconds <N>', 'duration', wholeNumber(1, 2 ** 31 - 1), 60)
    .option('--operation <NAME>', 'test one operation of the document (default: all)')
  return addSeed(command, 'decides the requests').parse(args, { from: 'user' }).opts<Options>()
}
