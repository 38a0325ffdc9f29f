import { describe, expect, it } from 'vitest'
import type { PackageMetadata } from '../src/package/package-problem.ts'
import { numberFlags } from '../src/test-data/validator-arguments.ts'
import * as reading from './support/read-package.ts'

const { draft, latest, latestScoring, legacy, readData, refusalOf, testFiles } = reading

const two = testFiles('sample/1', 'secret/1')

describe('test cases', () => {
  it('are in the format’s order: samples first, each level by base name, a before a-b', async () => {
    const sorted = 'sample/z secret/B secret/a/10 secret/a/2 secret/a-b/1 secret/a.b secret/b'.split(' ')
    const { tests, warnings } = await readData(testFiles(...sorted.toReversed()), latest)
    expect(tests.map(({ name }) => name)).toEqual(sorted)
    expect(warnings).toEqual([])
  })

  it('come before the directory of their name in legacy packages', async () => {
    const { tests } = await readData(testFiles('secret/a/1', 'secret/a'), legacy)
    expect(tests.map(({ name }) => name)).toEqual(['secret/a', 'secret/a/1'])
  })

  it('have their files, and are hidden unless they are samples', async () => {
    const { tests, used, shown, flags, inputFlags, ...rest } = await readData(two, latest)
    expect(tests.map(({ hidden, input, answer }) => [hidden, input.path, answer.path])).toEqual([
      [false, 'data/sample/1.in', 'data/sample/1.ans'],
      [true, 'data/secret/1.in', 'data/secret/1.ans'],
    ])
    expect([...used].toSorted()).toEqual(Object.keys(two).toSorted())
    expect({ shown, flags: flags.text, inputFlags }).toEqual({ shown: [], flags: '', inputFlags: {} })
    expect(rest).toEqual({ warnings: [] })
  })

  it('have hints and descriptions', async () => {
    const texts = { 'data/secret/1.hint': 'Think.\n', 'data/secret/1.desc': 'Large.\n' }
    const yaml = { 'data/secret/1.yaml': 'hint: Think.\ndescription: Large.\n' }
    const expected = { hint: 'Think.', description: 'Large.' }
    expect((await readData({ ...two, ...texts }, legacy)).tests[1]).toMatchObject(expected)
    expect((await readData({ ...two, ...texts }, draft)).tests[1]).toMatchObject(expected)
    const read = await readData({ ...two, ...yaml }, latest)
    expect(read.tests[1]).toMatchObject(expected)
    expect(read.used).toContain('data/secret/1.yaml')
  })
})

describe('samples in another form', () => {
  const interactive: PackageMetadata = { ...latest, type: ['pass-fail', 'interactive'] }

  it.each<[string, PackageMetadata, string[], string[]]>([
    ['an interaction', legacy, ['1.interaction'], []],
    ['an interaction with downloads', interactive, ['1.interaction', '1.in.download', '1.ans.download'], []],
    ['an output in an interactive problem', interactive, ['1.out'], []],
    ['an output', latest, ['1.out'], ['1.in']],
    ['another input', latest, ['1.in.statement', '1.in.download'], ['1.ans']],
    ['another answer', latest, ['1.ans.statement', '1.ans.download'], ['1.in']],
    ['two other texts', latest, ['1.in.statement', '1.in.download', '1.out'], []],
  ])('show %s, and the text without another form', async (_, metadata, names, own) => {
    const files = Object.fromEntries(names.map((name) => [`data/sample/${name}`, 'text']))
    const { tests, shown, used, warnings } = await readData({ ...two, ...files }, metadata)
    expect(tests[0]?.hidden).toBe(true)
    const expected = [...names, ...own].map((name) => `data/sample/${name}`)
    expect(shown.map(({ path }) => path).toSorted()).toEqual(expected.toSorted())
    for (const file of Object.keys(files)) expect(used).not.toContain(file)
    expect(warnings).toEqual([])
  })

  it('may be interactions without a test case in legacy packages', async () => {
    const { tests, shown } = await readData({ ...two, 'data/sample/2.interaction': '> 1\n' }, legacy)
    expect(tests).toHaveLength(2)
    expect(shown.map(({ path }) => path)).toEqual(['data/sample/2.interaction'])
  })

  it('are hidden in interactive problems, with a warning if nothing is shown', async () => {
    const { tests, warnings } = await readData(two, interactive)
    expect(tests[0]?.hidden).toBe(true)
    const nothing = 'solvers see nothing of this sample of an interactive problem'
    expect(warnings).toEqual([['data/sample/1.in', undefined, `${nothing}: add data/sample/1.interaction`]])
  })

  it.each([
    ['in.statement', 'interaction'],
    ['out', 'ans.statement'],
    ['out', 'interaction'],
    ['ans.statement', 'interaction'],
    ['out', 'ans.download'],
  ])('cannot have together .%s and .%s', async (one, other) => {
    const files = { [`data/sample/1.${one}`]: 'text', [`data/sample/1.${other}`]: 'text' }
    expect(await refusalOf({ ...two, ...files }, latest)).toBe(
      `PackageError: data/sample/1.${one}: the test case must not have data/sample/1.${other} too`,
    )
  })

  it.each([
    ['.in.statement', 'data/sample/1.in.download'],
    ['.in.download', 'data/sample/1.in.statement or data/sample/1.interaction'],
    ['.ans.statement', 'data/sample/1.ans.download or data/sample/1.out'],
  ])('should not have only %s', async (extension, wanted) => {
    const { warnings } = await readData({ ...two, [`data/sample/1${extension}`]: 'text' }, latest)
    expect(warnings).toEqual([[`data/sample/1${extension}`, undefined, `the format wants ${wanted} too`]])
  })
})

describe('settings and files without effect', () => {
  it('are static validators’ arguments, and full_feedback that differs from its default', async () => {
    const settings = {
      'data/sample/1.yaml': 'hint: Add.\nfull_feedback: false\n',
      'data/secret/test_group.yaml': 'static_validator_args: [fast]\nfull_feedback: true\n',
    }
    const { warnings } = await readData({ ...two, ...settings }, latest)
    expect(warnings).toEqual([
      ['data/sample/1.yaml', 2, 'full_feedback is ignored: solvers see samples'],
      ['data/secret/test_group.yaml', 1, 'static_validator_args is ignored: static validators are not run'],
      ['data/secret/test_group.yaml', 2, 'full_feedback is ignored: solvers do not see secret test cases'],
    ])
  })

  it('are illustrations, of which a test case has one', async () => {
    const images = { 'data/secret/1.png': 'x', 'data/secret/1.svg': 'x' }
    const { warnings } = await readData({ ...two, ...images }, latest)
    expect(warnings).toEqual([
      ['data/secret/1.png', undefined, 'illustrations are stored, not shown'],
      ['data/secret/1.svg', undefined, 'illustrations are stored, not shown'],
      ['data/secret/1.svg', undefined, 'the test case has another illustration: the format allows one'],
    ])
  })
})

describe('validators’ arguments', () => {
  it('come from the nearest file, with constants replaced', async () => {
    const contents = {
      ...testFiles('secret/1', 'secret/2'),
      'data/secret/test_group.yaml':
        'output_validator_args: [tolerance, "{{eps}}"]\ninput_validator_args: [a]\n',
      'data/secret/2.yaml': 'input_validator_args: { check: ["{{eps}}"] }\n',
    }
    const constants = { eps: { value: '1e-6' } }
    const { flags, inputFlags, warnings } = await readData(contents, { ...latest, constants })
    expect([flags.text, warnings]).toEqual(['tolerance 1e-6', []])
    expect(inputFlags).toEqual({ 'secret/1': ['a'], 'secret/2': { check: ['{{eps}}'] } })
  })

  it('of legacy packages are validator_flags and those of the directory', async () => {
    const contents = {
      ...testFiles('secret/1', 'secret/a/1', 'secret/b/1'),
      'data/testdata.yaml': 'output_validator_flags: b  c\ninput_validator_flags: x y\n',
      'data/secret/a/testdata.yaml': 'input_validator_flags: { name: check, flags: z }\n',
      'data/secret/b/testdata.yaml': 'input_validator_flags:\n',
    }
    const { flags, inputFlags } = await readData(contents, { ...legacy, validator_flags: 'a' })
    expect(flags.text).toBe('a b c')
    expect(inputFlags).toEqual({
      'secret/1': ['x', 'y'],
      'secret/a/1': { check: ['z'] },
      'secret/b/1': ['x', 'y'],
    })
  })

  it('of a legacy directory are a validator’s name, or arguments with a warning', async () => {
    const contents = {
      ...testFiles('secret/1', 'secret/a/1', 'secret/b/1'),
      'output_validators/check.cpp': '',
      'input_validators/format/main.py': '',
      'data/testdata.yaml': 'output_validator_flags: {name: check, flags: a}\n',
      'data/secret/a/testdata.yaml': 'output_validator_flags: check\ninput_validator_flags: {name: form}\n',
      'data/secret/b/testdata.yaml': 'output_validator_flags: a\ninput_validator_flags: {name: format}\n',
    }
    const { flags, warnings } = await readData(contents, legacy)
    expect(flags.text).toBe('a')
    const asArguments = 'output_validator_flags is read as arguments: no output validator has this name'
    expect(warnings).toEqual([
      ['data/secret/a/testdata.yaml', 2, 'input_validator_flags names form, but there is no such validator'],
      ['data/secret/b/testdata.yaml', 1, asArguments],
    ])
  })

  it('are the most frequent ones of the secret test cases, beside those of the others', async () => {
    const contents = {
      ...testFiles('sample/1', 'sample/2', 'sample/3', 'secret/1', 'secret/2', 'secret/3'),
      'data/sample/2.yaml': 'output_validator_args: [c]\n',
      'data/secret/test_group.yaml': 'output_validator_args: [a, b]\n',
      'data/secret/2.yaml': 'hint: x\noutput_validator_args: [c]\n',
    }
    const { flags, warnings, tests } = await readData(contents, latest)
    const key = 'output_validator_args'
    expect(flags).toEqual({
      text: 'a b',
      place: { file: 'data/secret/test_group.yaml', line: 1, key },
      others: [
        { text: '', place: { file: 'data/sample' }, names: ['sample/1', 'sample/3'] },
        { text: 'c', place: { file: 'data/sample/2.yaml', line: 1, key }, names: ['sample/2', 'secret/2'] },
      ],
    })
    expect(warnings).toEqual([])
    const [none, c] = [(...cases: number[]) => ({ cases, flags: '' }), { cases: [2, 5], flags: 'c' }]
    expect(numberFlags(flags, tests)).toEqual([none(1, 3), c])
    expect(numberFlags(flags, tests.toReversed())).toEqual([c, none(4, 6)])
  })

  it('differ between groups of a legacy package, and in one test case from its group', async () => {
    const contents = {
      ...testFiles('sample/1', 'secret/a/1', 'secret/a/2', 'secret/b/1'),
      'data/testdata.yaml': 'output_validator_flags: b\n',
      'data/secret/b/testdata.yaml': "output_validator_flags: ''\n",
      'data/secret/a/2.yaml': 'output_validator_args: []\n',
    }
    const { flags, tests } = await readData(contents, { ...legacy, validator_flags: 'a' })
    expect(flags.text).toBe('a')
    expect(numberFlags(flags, tests)).toEqual([{ cases: [1, 2], flags: 'a b' }])
  })
})

describe('the end of a judging', () => {
  it.each<[string, reading.Contents, 'all' | undefined]>([
    ['after the first failed test case', {}, undefined],
    ['after all with continue at the top', { 'data/testdata.yaml': 'on_reject: continue\n' }, 'all'],
    ['after all with continue in secret', { 'data/secret/testdata.yaml': 'on_reject: continue\n' }, 'all'],
  ])('is %s', async (_, contents, run) => {
    expect((await readData({ ...two, ...contents }, legacy)).run).toBe(run)
  })
})

it('warns of arguments that a group does not state itself', async () => {
  const contents = {
    ...testFiles('secret/a/1', 'secret/b/1'),
    'data/secret/test_group.yaml': 'output_validator_args: [x]\n',
    'data/secret/a/test_group.yaml': 'max_score: 40\n',
    'data/secret/b/test_group.yaml': 'max_score: 60\noutput_validator_args: [y]\n',
  }
  const { warnings } = await readData(contents, latestScoring)
  const used = 'output_validator_args of data/secret/test_group.yaml is used: write it into this file too'
  expect(warnings).toEqual([['data/secret/a/test_group.yaml', undefined, used]])
})
