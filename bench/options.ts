import { parseArgs } from 'node:util'

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
  /** Whether the tables in docs/performance.md are written anew. */
  readonly write: boolean
}

/** Reads the command line. Throws where an option is not what it must be. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      size: { type: 'string' },
      routes: { type: 'string', default: '' },
      connections: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      minutes: { type: 'string', default: '10' },
      json: { type: 'string', default: 'bench-results.json' },
      write: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
    },
  })
  const usual = values.quick
    ? { size: 'S', connections: '1,32', seconds: '0.5', rounds: '1' }
    : { size: 'both', connections: '1,32,256', seconds: '1', rounds: '3' }
  return {
    mode: readWord('what to do', positionals[0] ?? 'routes', ['routes', 'contest', 'memory']),
    size: readWord('--size', values.size ?? usual.size, ['S', 'L', 'both']),
    routes: readList(values.routes),
    connections: readList(values.connections ?? usual.connections).map((text) =>
      readNumber('connections', text, 1, 1000),
    ),
    seconds: readNumber('seconds', values.seconds ?? usual.seconds, 0.1, 3600),
    rounds: readNumber('rounds', values.rounds ?? usual.rounds, 1, 100),
    minutes: readNumber('minutes', values.minutes, 1, 600),
    json: values.json,
    write: values.write,
  }
}

function readWord<Word extends string>(name: string, text: string, words: readonly Word[]): Word {
  const word = words.find((known) => known === text)
  if (word === undefined) throw new Error(`${name} must be one of ${words.join(', ')}`)
  return word
}

function readNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= least && value <= most)) {
    throw new Error(`--${name} must be a number from ${least} to ${most}`)
  }
  return value
}

const readList = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
