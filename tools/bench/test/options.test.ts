import { CommanderError } from 'commander'
import { expect, it } from 'vitest'
import { readOptions } from '../options.ts'

it('has defaults, which --quick replaces', () => {
  expect(readOptions([])).toMatchObject({ mode: 'routes', size: 'both', connections: [1, 32, 256] })
  expect(readOptions(['memory', '--quick', '--size', 'L', '--connections', '2, 4'])).toMatchObject({
    ...{ mode: 'memory', size: 'L', connections: [2, 4], seconds: 0.5, rounds: 1, minutes: 10 },
  })
  expect(readOptions(['contest', '--people', '1000,2000'])).toMatchObject({ people: [1000, 2000] })
})

it.each([
  [['tables'], 'Allowed choices are routes, contest, memory, judging, live'],
  [['--routes', 'status poll,no such route'], "No route has 'no such route' in its name"],
  [['contest', '--people', '0'], 'It must be a whole number from 1 to 30000'],
  [['--seconds', ''], 'It must be a number from 0.1 to 3600'],
])('rejects %s with a hint', (args, message) => {
  expect(() => readOptions(args)).toThrow(CommanderError)
  expect(() => readOptions(args)).toThrow(message)
})
