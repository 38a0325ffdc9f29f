import { parseArgs } from 'node:util'
import { type Command, readWhole, UsageError } from '../local-servers/command-line.ts'
import { hotRoutes } from './routes.ts'

/** What a run does: the tables, the load test of a contest, or memory over time. */
export type Mode = 'routes' | 'contest' | 'memory'

export interface Options {
  readonly mode: Mode
  /** `both`: the tables at S, and the growth from S to L. */
  readonly size: 'S' | 'L' | 'both'
  /** Names of routes, or parts of them; none stands for all. */
  readonly routes: readonly string[]
  readonly connections: readonly number[]
  /** Of each slice. */
  readonly seconds: number
  readonly rounds: number
  /** How long memory is watched. */
  readonly minutes: number
  /** Where the figures go as JSON. */
  readonly json: string
  /** Whether the tables in docs/benchmark.md are written anew. */
  readonly write: boolean
}

const USUAL = { size: 'both', connections: '1,32,256', seconds: '1', rounds: '3' }
const QUICK = { size: 'S', connections: '1,32', seconds: '0.5', rounds: '1' }

const unless = (name: keyof typeof USUAL) => `(default: ${USUAL[name]}; with --quick ${QUICK[name]})`

const options = {
  size: {
    type: 'string',
    value: 'S|L|both',
    meaning: `how large the database is; both measures the growth too ${unless('size')}`,
  },
  routes: {
    type: 'string',
    value: 'NAME,...',
    meaning: 'routes, by their names or parts of them (default: all)',
  },
  connections: {
    type: 'string',
    value: 'N,...',
    meaning: `how many clients ask at once ${unless('connections')}`,
  },
  seconds: { type: 'string', value: 'N', meaning: `how long each slice of load takes ${unless('seconds')}` },
  rounds: {
    type: 'string',
    value: 'N',
    meaning: `how many slices each figure is made of ${unless('rounds')}`,
  },
  quick: { type: 'boolean', default: false, meaning: 'a look, in two minutes' },
  minutes: { type: 'string', value: 'N', default: '10', meaning: 'how long memory is watched' },
  json: {
    type: 'string',
    value: 'FILE',
    default: 'bench-results.json',
    meaning: 'where all figures are written',
  },
  write: { type: 'boolean', default: false, meaning: 'writes the tables of docs/benchmark.md anew' },
} as const satisfies Command['options']

/** `npm run bench`, for its help. */
export const benchCommand: Command = {
  usage: 'npm run bench -- [routes|contest|memory] [OPTION...]',
  purpose: [
    'Measures the service beside what this machine does at best, on a database that it fills, of servers that it starts;',
    'BENCH_DATABASE_URL and BENCH_AMQP_URL name others.',
    '  routes   the hot routes with their ceilings (the default)',
    '  contest  how many people at once a contest carries',
    '  memory   what the service holds under load, minute after minute',
  ].join('\n'),
  options,
}

/** Reads the command line. Throws `UsageError`, or what `parseArgs` does, where it is not what it must be. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
  const [mode = 'routes', unasked] = positionals
  if (unasked !== undefined) throw new UsageError(`Unexpected argument '${unasked}'`)
  const usual = values.quick ? QUICK : USUAL
  return {
    mode: readWord('What to do', mode, ['routes', 'contest', 'memory']),
    size: readWord('--size', values.size ?? usual.size, ['S', 'L', 'both']),
    routes: readRoutes(values.routes),
    connections: (values.connections ?? usual.connections)
      .split(',')
      .map((text) => readWhole('connections', text.trim(), { least: 1, most: 1000 })),
    seconds: readSeconds(values.seconds ?? usual.seconds),
    rounds: readWhole('rounds', values.rounds ?? usual.rounds, { least: 1, most: 100 }),
    minutes: readWhole('minutes', values.minutes, { least: 1, most: 600 }),
    json: values.json,
    write: values.write,
  }
}

function readWord<Word extends string>(name: string, text: string, words: readonly Word[]): Word {
  const word = words.find((known) => known === text)
  if (word === undefined) throw new UsageError(`${name} must be one of ${words.join(', ')}, not '${text}'`)
  return word
}

function readSeconds(text: string): number {
  const value = Number(text)
  if (value >= 0.1 && value <= 3600) return value
  throw new UsageError(`--seconds must be a number from 0.1 to 3600, not '${text}'`)
}

/** Refused before anything is filled: a run that measures nothing would take as long to say so. */
function readRoutes(text = ''): string[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const unknown = parts.find((part) => !hotRoutes.some(({ name }) => name.includes(part)))
  if (unknown === undefined) return parts
  const names = hotRoutes.map(({ name }) => name).join('; ')
  throw new UsageError(`--routes: no route has '${unknown}' in its name; there are: ${names}`)
}
