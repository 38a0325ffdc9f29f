import { expect, it } from 'vitest'
import { testCommandLine } from '../../local-servers/test/command-line.ts'
import { readOptions } from '../options.ts'

testCommandLine('fuzz', ['--seconds', '--seed', '--operation'])

it('has a default duration, and a random seed unless one is given', () => {
  expect(readOptions(['--seed', '4711'])).toEqual({ seconds: 60, seed: 4711 })
  expect(readOptions([]).seed).not.toBe(readOptions([]).seed)
})
