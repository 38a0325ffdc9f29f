import { Argument, InvalidArgumentError, Option } from 'commander'
import { createCommand, wholeNumber } from '../local-servers/command-line.ts'
import { PEOPLE_TARGET, STANDINGS } from './contest.ts'
import { hotRoutes } from './routes.ts'

const MODES = ['routes', 'contest', 'memory', 'judging', 'live'] as const

export interface Options {
  readonly mode: (typeof MODES)[number]
  /** `both`: the tables at S, and the growth from S to L. */
  readonly size: 'S' | 'L' | 'both'
  readonly routes: readonly string[]
  readonly connections: readonly number[]
  /** The length of a slice. */
  readonly seconds: number
  readonly rounds: number
  readonly minutes: number
  readonly people?: readonly number[]
  readonly standings: readonly (typeof STANDINGS)[number][]
  readonly json: string
  readonly write?: true
  readonly isQuick: boolean
}

const USUAL = { size: 'both', connections: [1, 32, 256], seconds: 1, rounds: 3 } as const
const QUICK = { size: 'S', connections: [1, 32], seconds: 0.5, rounds: 1 } as const

type Given = Pick<Options, 'minutes' | 'json' | 'standings'> & { readonly quick?: true }

const DESCRIPTION = `Measures the service and, in the same run, the same work without the service. Fills a
database on servers that it starts; BENCH_DATABASE_URL and BENCH_AMQP_URL name others.`

const withDefault = (meaning: string, name: keyof typeof USUAL) =>
  `${meaning} (default: ${USUAL[name]}; with --quick ${QUICK[name]})`

/** Reads the command line. Throws `CommanderError`. */
export function readOptions(args: readonly string[]): Options {
  const meaning = 'frequent routes, contests, memory under load, the judge worker, or streams and feeds'
  const size = withDefault('database; both also measures the growth', 'size')
  const command = createCommand('bench', DESCRIPTION)
    .addArgument(new Argument('[mode]', meaning).choices(MODES).default('routes'))
    .addOption(new Option('--size <SIZE>', size).choices(['S', 'L', 'both']))
    .option('--routes <NAME,...>', 'routes, by parts of their names (default: all)', readRoutes)
    .option('--connections <N,...>', withDefault('concurrent clients', 'connections'), wholeNumbers(1, 1000))
    .option('--seconds <N>', withDefault('length of a slice of load', 'seconds'), readSeconds)
    .option('--rounds <N>', withDefault('slices per figure', 'rounds'), wholeNumber(1, 100))
    .option('--quick', 'a rough result in two minutes')
    .option('--minutes <N>', 'length of the memory test', wholeNumber(1, 600), 10)
    .option('--people <N,...>', `people in contests (default: ${PEOPLE_TARGET})`, wholeNumbers(1, 30_000))
    .option('--standings <KIND,...>', `what they read: ${STANDINGS.join(', ')}`, readStandings, ['standings'])
    .option('--json <FILE>', 'file for all figures', 'bench-results.json')
    .option('--write', 'write the tables and charts of docs/performance.md')
    .parse(args, { from: 'user' })
  const { quick, routes = [], ...given } = command.opts<Partial<Options> & Given>()
  const [mode] = command.processedArgs
  return { ...(quick ? QUICK : USUAL), ...given, routes, mode, isQuick: quick === true }
}

const wholeNumbers = (least: number, most: number) => (text: string) =>
  text.split(',').map((part) => wholeNumber(least, most)(part.trim()))

function readStandings(text: string): Options['standings'] {
  const kinds = text.split(',')
  const known = STANDINGS.filter((kind) => kinds.includes(kind))
  if (known.length === kinds.length) return known
  throw new InvalidArgumentError(`They must be of: ${STANDINGS.join(', ')}.`)
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
