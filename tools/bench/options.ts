import { Argument, InvalidArgumentError, Option } from 'commander'
import { createCommand, wholeNumber } from '../local-servers/command-line.ts'
import { hotRoutes } from './routes.ts'

/**
 * What the people of the contest test poll: `frozen` standings hide the results since the freeze.
 */
export const standingsKinds = ['attempts', 'standings', 'frozen'] as const
export type StandingsKind = (typeof standingsKinds)[number]

export interface Options {
  readonly mode:
    | 'routes'
    | 'contest'
    | 'memory'
    | 'tests'
    | 'packages'
    | 'judging'
    | 'live'
    | 'scaling'
    | 'partitions'
    | 'charts'
  /** `both`: the tables at S, and the growth from S to L. */
  readonly size: 'S' | 'L' | 'both'
  /** Parts of the names of routes; empty for all routes. */
  readonly routes: readonly string[]
  readonly connections: readonly number[]
  /** The length of a slice. */
  readonly seconds: number
  readonly rounds: number
  readonly minutes: number
  /** Contests with each of them are measured. */
  readonly standings: readonly StandingsKind[]
  /** Numbers of people in the contest test; undefined: search for the largest contest. */
  readonly people?: readonly number[]
  readonly json: string
  readonly write?: true
  readonly isQuick: boolean
}

const USUAL = { size: 'both', connections: [1, 32, 256], seconds: 1, rounds: 3 } as const
const QUICK = { size: 'S', connections: [1, 32], seconds: 0.5, rounds: 1 } as const

type Given = Pick<Options, 'minutes' | 'standings' | 'json'> & { readonly quick?: true }

const DESCRIPTION = `Measures the service and, in the same run, the same work without the service. Fills a
database on servers that it starts; BENCH_DATABASE_URL and BENCH_AMQP_URL name others.`

const MODES =
  'the frequent routes, the largest contest, the memory under load, large tests, problem packages, the judge worker, streams and feeds, several instances and workers, or ten million submissions with and without partitions; charts draws those of a file again'

const withDefault = (meaning: string, name: keyof typeof USUAL) =>
  `${meaning} (default: ${USUAL[name]}; with --quick ${QUICK[name]})`

/** Reads the command line. Throws `CommanderError`. */
export function readOptions(args: readonly string[]): Options {
  const command = createCommand('bench', DESCRIPTION)
    .addArgument(
      new Argument('[mode]', MODES)
        .choices([
          ...['routes', 'contest', 'memory', 'tests', 'packages', 'judging', 'live', 'scaling', 'partitions'],
          'charts',
        ])
        .default('routes'),
    )
    .addOption(
      new Option('--size <SIZE>', withDefault('database; both also measures the growth', 'size')).choices([
        ...['S', 'L', 'both'],
      ]),
    )
    .option('--routes <NAME,...>', 'routes, by parts of their names (default: all)', readRoutes)
    .option('--connections <N,...>', withDefault('concurrent clients', 'connections'), readConnections)
    .option('--seconds <N>', withDefault('length of a slice of load', 'seconds'), readSeconds)
    .option('--rounds <N>', withDefault('slices per figure', 'rounds'), wholeNumber(1, 100))
    .option('--quick', 'a rough result in two minutes')
    .option('--minutes <N>', 'length of the memory test', wholeNumber(1, 600), 10)
    .option(
      '--standings <KIND,...>',
      `what the people of the contest test poll (default: standings; choices: ${standingsKinds.join(', ')})`,
      readStandingsKinds,
      ['standings'],
    )
    .option('--people <N,...>', 'contests of so many people, instead of the largest one', readPeople)
    .option('--json <FILE>', 'file for all figures; charts reads it', 'bench-results.json')
    .option('--write', 'write the tables of docs/benchmark.md, and the charts')
    .parse(args, { from: 'user' })
  const { quick, routes = [], ...given } = command.opts<Partial<Options> & Given>()
  const [mode] = command.processedArgs
  return { ...(quick ? QUICK : USUAL), ...given, routes, mode, isQuick: quick === true }
}

const readConnections = (text: string) => text.split(',').map((part) => wholeNumber(1, 1000)(part.trim()))

const readPeople = (text: string) => text.split(',').map((part) => wholeNumber(1, 30_000)(part.trim()))

function readStandingsKinds(text: string): StandingsKind[] {
  return text.split(',').map((part) => {
    const kind = standingsKinds.find((one) => one === part.trim())
    if (kind !== undefined) return kind
    throw new InvalidArgumentError(`Allowed choices are ${standingsKinds.join(', ')}.`)
  })
}

function readSeconds(text: string): number {
  const value = Number(text)
  if (value >= 0.1 && value <= 3600) return value
  throw new InvalidArgumentError('It must be a number from 0.1 to 3600.')
}

function readRoutes(text: string): string[] {
  const parts = text.split(',').flatMap((part) => part.trim() || [])
  const unknown = parts.find((part) => !hotRoutes.some(({ name }) => name.includes(part)))
  if (unknown === undefined) return parts
  const names = hotRoutes.map(({ name }) => name).join('; ')
  throw new InvalidArgumentError(`No route has '${unknown}' in its name. The routes are: ${names}`)
}
