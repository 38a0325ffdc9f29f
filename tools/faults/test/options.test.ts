import { expect, it } from 'vitest'
import { testCommandLine } from '../../local-servers/test/command-line.ts'
import { readOptions } from '../options.ts'

testCommandLine('faults', ['--scenario', '--short', '--seed'])

it('reads a scenario and a seed', () => {
  expect(readOptions(['--short', '--scenario', 'queue purged', '--seed', '0'])).toEqual({
    ...{ short: true, scenario: ['queue purged'], seed: 0 },
  })
})
