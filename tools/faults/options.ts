import { Option } from 'commander'
import { addSeed, createCommand } from '../local-servers/command-line.ts'
import { clusterScenarios } from './cluster/scenarios.ts'
import { EMBEDDED } from './embedded.ts'
import { scenarios } from './scenarios.ts'

export interface Options {
  readonly seed: number
  /** Undefined: all. */
  readonly scenario?: readonly string[]
  readonly short?: true
  readonly cluster?: true
  readonly throughProxy?: true
  readonly json?: string
  readonly markdown?: string
}

const DESCRIPTION = `Kills, stops, purges and freezes every part of the system under load. Then compares the
database with everything that clients and workers saw. Starts its own PostgreSQL and
RabbitMQ. Exits with 1 if a check fails.`

/** Reads the command line. Throws `CommanderError`. */
export function readOptions(args: readonly string[]): Options {
  const command = createCommand('faults', DESCRIPTION)
    .addOption(
      new Option('--scenario <NAME...>', 'run only these scenarios (default: all)').choices([
        EMBEDDED,
        ...[...scenarios, ...clusterScenarios].map(({ name }) => name),
      ]),
    )
    .option('--cluster', 'the scenarios on a cluster of 15 machines, in namespaces; needs root')
    .option('--through-proxy', 'with --cluster: the services reach the primary through HAProxy')
    .option('--short', 'each fault once, and for a shorter time')
    .option('--json <FILE>', 'write the results as JSON')
    .option('--markdown <FILE>', 'write the table as Markdown')
  return addSeed(command, 'decides the moments of the faults').parse(args, { from: 'user' }).opts<Options>()
}
