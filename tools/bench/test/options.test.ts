import { CommanderError } from 'commander'
import { expect, it } from 'vitest'
import { testCommandLine } from '../../local-servers/test/command-line.ts'
import { readOptions } from '../options.ts'

testCommandLine('bench', ['--connections', '--rounds', '--quick'])

it('has defaults, which --quick replaces', () => {
  expect(readOptions([])).toMatchObject({ mode: 'routes', size: 'both', connections: [1, 32, 256] })
  expect(readOptions(['memory', '--quick', '--size', 'L', '--connections', '2, 4'])).toMatchObject({
    ...{ mode: 'memory', size: 'L', connections: [2, 4], seconds: 0.5, rounds: 1, minutes: 10 },
  })
  expect(readOptions(['contest'])).toMatchObject({ mode: 'contest', standings: ['standings'] })
  expect(readOptions(['contest', '--standings', 'frozen, attempts', '--people', '1000,2000'])).toMatchObject({
    ...{ standings: ['frozen', 'attempts'], people: [1000, 2000] },
  })
  expect(readOptions(['judging', '--rounds', '5'])).toMatchObject({ mode: 'judging', rounds: 5 })
  expect(readOptions(['live'])).toMatchObject({ mode: 'live', isQuick: false })
  expect(readOptions(['live', '--quick'])).toMatchObject({ mode: 'live', isQuick: true })
})

it.each([
  [['tables'], 'Allowed choices are routes, contest, memory, tests, packages, judging, live'],
  [['routes', 'memory'], 'too many arguments'],
  [['--size', 'M'], 'Allowed choices are S, L, both'],
  [['contest', '--standings', 'thawed'], 'Allowed choices are attempts, standings, frozen'],
  [['--routes', 'status poll,no such route'], "No route has 'no such route' in its name"],
  [['contest', '--people', '0'], 'It must be a whole number from 1 to 30000'],
  [['--connections', '1.5'], 'It must be a whole number from 1 to 1000'],
  [['--connections', ''], 'It must be a whole number'],
  [['--seconds', ''], 'It must be a number from 0.1 to 3600'],
  [['--minutes', '601'], 'It must be a whole number from 1 to 600'],
])('rejects %s with a hint', (args, message) => {
  expect(() => readOptions(args)).toThrow(CommanderError)
  expect(() => readOptions(args)).toThrow(message)
})
