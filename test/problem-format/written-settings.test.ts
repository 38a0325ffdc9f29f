import { describe, expect, it } from 'vitest'
import type { WritableTest } from '../../src/problem-format/test-data/writable-test-data.ts'
import { writeTestData } from '../../src/problem-format/test-data/write-test-data.ts'
import { minOf } from './read-package.ts'
import { hidden, sample } from './writable-tests.ts'

describe('settings', () => {
  it('have the validator’s arguments in every directory, and texts of test cases', () => {
    const { files } = writeTestData({
      tests: [
        { ...sample('sample/1'), hint: 'Add.' },
        { ...sample('sample/2'), description: 'Two\nlines' },
        ...hidden('secret/g/1'),
      ],
      groups: [minOf('g', 40, 3)],
      flags: ' a  1e-6 ',
    })
    const flags = 'output_validator_args:\n  - a\n  - "1e-6"\n'
    expect(files).toEqual([
      { path: 'data/sample/test_group.yaml', content: flags },
      { path: 'data/secret/test_group.yaml', content: `max_score: 40\nscore_aggregation: sum\n${flags}` },
      { path: 'data/secret/g/test_group.yaml', content: `max_score: 40\nscore_aggregation: min\n${flags}` },
      { path: 'data/sample/1.yaml', content: 'hint: Add.\n' },
      { path: 'data/sample/2.yaml', content: 'description: |-\n  Two\n  lines\n' },
    ])
  })
})

describe('different arguments of the validator', () => {
  const withFlags = (outputFlags: string, test: WritableTest): WritableTest => ({ ...test, outputFlags })
  const secret = (name: string): WritableTest => ({ name, hidden: true })
  const of = (...words: string[]) =>
    `output_validator_args:\n${words.map((word) => `  - ${word}\n`).join('')}`

  it('are written for a group if all of its test cases have them, else for each test case', () => {
    const { files } = writeTestData({
      tests: [
        withFlags('x', sample('sample/1')),
        secret('secret/a/1'),
        withFlags(' y z', secret('secret/b/1')),
        withFlags('y  z', secret('secret/b/deep/1')),
        { ...withFlags('', secret('secret/c/1')), hint: 'Add.' },
        { ...secret('secret/c/2'), hint: 'Add.' },
      ],
      groups: [minOf('a', 10, 2), minOf('b', 10, 3, 4), minOf('c', 10, 5, 6)],
      flags: 'p',
    })
    const group = 'max_score: 10\nscore_aggregation: min\n'
    expect(files).toEqual([
      { path: 'data/sample/test_group.yaml', content: of('x') },
      { path: 'data/secret/test_group.yaml', content: 'max_score: 30\nscore_aggregation: sum\n' },
      { path: 'data/secret/a/test_group.yaml', content: group + of('p') },
      { path: 'data/secret/b/test_group.yaml', content: group + of('y', 'z') },
      { path: 'data/secret/c/test_group.yaml', content: group },
      { path: 'data/secret/c/1.yaml', content: 'hint: Add.\n' },
      { path: 'data/secret/c/2.yaml', content: `hint: Add.\n${of('p')}` },
    ])
  })

  it('are written for each test case in directories that are no groups', () => {
    const { files } = writeTestData({
      tests: [withFlags('x', secret('secret/a/1')), ...hidden('secret/b/1', 'secret/c')],
      flags: '',
    })
    expect(files).toEqual([{ path: 'data/secret/a/1.yaml', content: of('x') }])
  })

  it('are written for each test case if a directory would replace constants', () => {
    const { files } = writeTestData({ tests: hidden('secret/1'), flags: '{{n}}' })
    expect(files).toEqual([{ path: 'data/secret/1.yaml', content: of('"{{n}}"') }])
  })
})
