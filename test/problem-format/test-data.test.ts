import { describe, expect, it } from 'vitest'
import type { PackageMetadata } from '../../src/problem-format/package-problem.ts'
import {
  type Contents,
  latest,
  latestScoring,
  legacy,
  readData,
  refusalOf,
  testFiles,
} from './read-package.ts'

const draft: PackageMetadata = { ...latest, format: '2023-07-draft' }
const two = testFiles('sample/1', 'secret/1')

describe('test cases', () => {
  it('are in the format’s order: samples first, each level by base name, a before a-b', async () => {
    const contents = testFiles(
      'secret/b',
      'secret/a-b/1',
      'secret/a/2',
      'secret/a/10',
      'secret/B',
      'secret/a.b',
      'sample/z',
    )
    const { tests, warnings } = await readData(contents, latest)
    expect(tests.map(({ name }) => name)).toEqual([
      'sample/z',
      'secret/B',
      'secret/a/10',
      'secret/a/2',
      'secret/a-b/1',
      'secret/a.b',
      'secret/b',
    ])
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
    expect({ shown, flags, inputFlags }).toEqual({ shown: [], flags: '', inputFlags: {} })
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

  it.each<[string, PackageMetadata, string[]]>([
    ['an interaction', legacy, ['1.interaction']],
    ['an interaction with downloads', interactive, ['1.interaction', '1.in.download', '1.ans.download']],
    ['an output', latest, ['1.out']],
    ['another input', latest, ['1.in.statement', '1.in.download']],
    ['another answer', latest, ['1.ans.statement', '1.ans.download']],
  ])('show %s instead of the test case', async (_, metadata, names) => {
    const files = Object.fromEntries(names.map((name) => [`data/sample/${name}`, 'text']))
    const { tests, shown, used, warnings } = await readData({ ...two, ...files }, metadata)
    expect(tests[0]?.hidden).toBe(true)
    expect(shown.map(({ path }) => path).toSorted()).toEqual(Object.keys(files).toSorted())
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
    expect(warnings).toEqual([
      [
        'data/sample/1.in',
        undefined,
        'solvers see nothing of this sample of an interactive problem: add data/sample/1.interaction',
      ],
    ])
  })

  it.each([
    [
      ['.in.statement', '.interaction'],
      'data/sample/1.in.statement: the test case must not have data/sample/1.interaction too',
    ],
    [
      ['.out', '.ans.statement'],
      'data/sample/1.out: the test case must not have data/sample/1.ans.statement too',
    ],
    [
      ['.out', '.interaction'],
      'data/sample/1.out: the test case must not have data/sample/1.interaction too',
    ],
    [
      ['.ans.statement', '.interaction'],
      'data/sample/1.ans.statement: the test case must not have data/sample/1.interaction too',
    ],
    [
      ['.out', '.ans.download'],
      'data/sample/1.out: the test case must not have data/sample/1.ans.download too',
    ],
    [['.in.statement'], 'data/sample/1.in.statement: the test case must have data/sample/1.in.download too'],
    [
      ['.in.download'],
      'data/sample/1.in.download: the test case must have data/sample/1.in.statement or data/sample/1.interaction too',
    ],
    [
      ['.ans.statement'],
      'data/sample/1.ans.statement: the test case must have data/sample/1.ans.download or data/sample/1.out too',
    ],
  ])('cannot have only or together %j', async (extensions, message) => {
    const files = Object.fromEntries(extensions.map((extension) => [`data/sample/1${extension}`, 'text']))
    expect(await refusalOf({ ...two, ...files }, latest)).toBe(`PackageError: ${message}`)
  })
})

describe('bad test data', () => {
  it.each<[string, Contents, PackageMetadata, string]>([
    [
      'no test case',
      { 'data/secret/a.txt': '' },
      latest,
      'data: the package must have at least one test case',
    ],
    [
      'a missing answer',
      { 'data/secret/01.in': '1' },
      legacy,
      'data/secret/01.in: the test case must have an answer, data/secret/01.ans',
    ],
    [
      'a missing input',
      { ...two, 'data/secret/02.ans': '1' },
      latest,
      'data/secret/02.ans: the answer must have an input, data/secret/02.in',
    ],
    [
      'a scoring problem of samples only',
      testFiles('sample/1'),
      latestScoring,
      'data/secret: a scoring problem must have secret test cases',
    ],
    [
      'a directory with the name of a test case',
      testFiles('secret/a', 'secret/a/b'),
      latest,
      'data/secret/a.in: the test case must not have the name of the directory data/secret/a',
    ],
    [
      'a test case with the name of settings',
      testFiles('secret/test_group'),
      latest,
      'data/secret/test_group.in: a test case must not have the name test_group',
    ],
    [
      'a group in samples',
      { ...testFiles('sample/a/1'), 'data/sample/a/test_group.yaml': '' },
      latest,
      'data/sample/a/test_group.yaml: only data/sample, data/secret and the directories of data/secret may have this file',
    ],
    [
      'a wrong type',
      { ...two, 'data/secret/1.yaml': 'hint: x\nargs: 5\n' },
      latest,
      'data/secret/1.yaml, line 2: args must be array',
    ],
    [
      'settings that are a list',
      { ...two, 'data/secret/test_group.yaml': '- 5\n' },
      latest,
      'data/secret/test_group.yaml, line 1: must be object',
    ],
    [
      'an argument with white space',
      { ...two, 'data/secret/test_group.yaml': 'output_validator_args:\n  - a\n  - b c\n' },
      latest,
      'data/secret/test_group.yaml, line 3: output_validator_args.1 must not be empty or contain white space',
    ],
    [
      'points of a pass-fail problem',
      { ...two, 'data/secret/test_group.yaml': 'args: []\nmax_score: 5\n' },
      latest,
      'data/secret/test_group.yaml, line 2: max_score is only for scoring problems',
    ],
    [
      'an unknown policy',
      { ...two, 'data/testdata.yaml': 'on_reject: stop\n' },
      legacy,
      'data/testdata.yaml, line 1: on_reject must be equal to one of the allowed values',
    ],
    [
      'always_accept of a pass-fail problem',
      { ...two, 'data/testdata.yaml': 'grader_flags: always_accept\n' },
      legacy,
      'data/testdata.yaml, line 1: grader_flags must not have always_accept: a failed test case rejects a submission',
    ],
    [
      'accept_if_any_accepted of a pass-fail problem',
      { ...two, 'data/secret/testdata.yaml': 'grader_flags: accept_if_any_accepted\n' },
      legacy,
      'data/secret/testdata.yaml, line 1: grader_flags must not have accept_if_any_accepted: a failed test case rejects a submission',
    ],
  ])('is refused: %s', async (_, contents, metadata, message) => {
    expect(await refusalOf(contents, metadata)).toBe(`PackageError: ${message}`)
  })

  it('is refused: more than 10,000 test cases', async () => {
    const contents = testFiles(...Array.from({ length: 10_001 }, (_, i) => `secret/${i}`))
    expect(await refusalOf(contents, legacy)).toBe(
      'PackageError: data: the package must have at most 10000 test cases',
    )
  })
})

describe('warnings', () => {
  type Row = [
    path: string,
    content: string,
    metadata: PackageMetadata,
    message: string,
    line?: number,
    file?: string,
  ]
  it.each<Row>([
    ['data/notes.txt', '', latest, 'the file is stored, but not used'],
    ['data/secret/notes.txt', '', latest, 'the file is stored, but not used'],
    ['data/secret/2.desc', '', legacy, 'the file is stored, but not used: there is no data/secret/2.in'],
    [
      'data/sample/2.interaction',
      '',
      latest,
      'the file is stored, but not used: there is no data/sample/2.in',
    ],
    ['data/old/1.in', '', latest, 'stored, but not used', undefined, 'data/old'],
    [
      'data/invalid_input/1.in',
      '',
      latest,
      'stored, not checked by verification',
      undefined,
      'data/invalid_input',
    ],
    [
      'data/invalid_output/1.in',
      '',
      latest,
      'stored, not checked by verification',
      undefined,
      'data/invalid_output',
    ],
    [
      'data/valid_output/1.in',
      '',
      latest,
      'stored, not checked by verification',
      undefined,
      'data/valid_output',
    ],
    [
      'data/invalid_inputs/1.in',
      '',
      draft,
      'stored, not checked by verification',
      undefined,
      'data/invalid_inputs',
    ],
    [
      'data/secret/1.files/a/b.txt',
      '',
      latest,
      'programs get no files: the test case is judged without them',
      undefined,
      'data/secret/1.files',
    ],
    ['data/secret/1.png', '', latest, 'illustrations are stored, not shown'],
    [
      'data/secret/1.out',
      '',
      latest,
      'the file is stored, but not shown: solvers do not see secret test cases',
    ],
    [
      'data/secret/1.hint',
      '',
      latest,
      'the file is stored, but not used: this version has hints and descriptions in .yaml',
    ],
    ['data/secret/1.yaml', '', legacy, 'the file is stored, but not used: legacy packages have no such file'],
    [
      'data/secret/testdata.yaml',
      '',
      latest,
      'the file is not used: packages of this version have test_group.yaml',
    ],
    [
      'data/secret/test_group.yaml',
      '',
      legacy,
      'the file is not used: packages of this version have testdata.yaml',
    ],
    ['data/secret/1.yaml', 'hint: a\nfoo: b\n', latest, 'the key foo is unknown and ignored', 2],
    ['data/secret/1.yaml', 'args: [a]\n', latest, 'args is ignored: programs get no arguments', 1],
    [
      'data/secret/test_group.yaml',
      'args: []\nfull_feedback: true\n',
      latest,
      'full_feedback is ignored: solvers do not see secret test cases',
      2,
    ],
    [
      'data/secret/test_group.yaml',
      'input_visualizer_args: [a]\n',
      latest,
      'input_visualizer_args is ignored: visualizers are not run',
      1,
    ],
    [
      'data/secret/test_group.yaml',
      'static_validation_score: pass-fail\n',
      latest,
      'static_validation_score is ignored: static validators are not run',
      1,
    ],
    ['data/secret/testdata.yaml', 'foo:\n', legacy, 'the key foo is unknown and ignored', 1],
    [
      'data/secret/testdata.yaml',
      'accept_score: 5\n',
      legacy,
      'accept_score is ignored: the problem is not of type scoring',
      1,
    ],
    ['data/secret/testdata.yaml', 'grader_flags: foo\n', legacy, 'grader_flags ignores the unknown foo', 1],
    [
      'data/secret/testdata.yaml',
      'grader_flags: ignore_sample\n',
      legacy,
      'grader_flags ignores ignore_sample, which is only for data/testdata.yaml',
      1,
    ],
    [
      'data/testdata.yaml',
      'grader_flags: ignore_sample\n',
      legacy,
      'grader_flags ignores ignore_sample: samples must be right for ACCEPTED',
      1,
    ],
    [
      'data/sample/testdata.yaml',
      'on_reject: continue\n',
      legacy,
      'on_reject continue is ignored: the whole problem has break, as data/secret',
      1,
    ],
  ])('name the file: %s', async (path, content, metadata, message, line, file = path) => {
    const { warnings, tests } = await readData({ ...two, [path]: content }, metadata)
    expect(warnings).toEqual([[file, line, message]])
    expect(tests).toHaveLength(2)
  })

  it('name a package without secret test cases', async () => {
    const { warnings } = await readData(testFiles('sample/1'), latest)
    expect(warnings).toEqual([['data/secret', undefined, 'the package has no secret test cases']])
  })
})

describe('validators’ arguments', () => {
  it('are those of the nearest file, with constants replaced', async () => {
    const contents = {
      ...testFiles('secret/1', 'secret/2'),
      'data/secret/test_group.yaml':
        'output_validator_args: [tolerance, "{{eps}}"]\ninput_validator_args: [a]\n',
      'data/secret/2.yaml': 'input_validator_args: { check: ["{{eps}}"] }\n',
    }
    const { flags, inputFlags, warnings } = await readData(contents, {
      ...latest,
      constants: { eps: { value: '1e-6' } },
    })
    expect(flags).toBe('tolerance 1e-6')
    expect(inputFlags).toEqual({ 'secret/1': ['a'], 'secret/2': { check: ['{{eps}}'] } })
    expect(warnings).toEqual([])
  })

  it('of legacy packages are validator_flags and those of the directory', async () => {
    const contents = {
      ...testFiles('secret/1', 'secret/a/1', 'secret/b/1'),
      'data/testdata.yaml': 'output_validator_flags: b  c\ninput_validator_flags: x y\n',
      'data/secret/a/testdata.yaml': 'input_validator_flags: { name: check, flags: z }\n',
      'data/secret/b/testdata.yaml': 'input_validator_flags:\n',
    }
    const { flags, inputFlags } = await readData(contents, { ...legacy, validator_flags: 'a' })
    expect(flags).toBe('a b c')
    expect(inputFlags).toEqual({
      'secret/1': ['x', 'y'],
      'secret/a/1': { check: ['z'] },
      'secret/b/1': ['x', 'y'],
    })
  })

  it('are those of most secret test cases, with a warning for the others', async () => {
    const contents = {
      ...testFiles('sample/1', 'sample/2', 'sample/3', 'secret/1', 'secret/2', 'secret/3'),
      'data/secret/test_group.yaml': 'output_validator_args: [a, b]\n',
      'data/secret/2.yaml': 'hint: x\noutput_validator_args: [c]\n',
    }
    const { flags, warnings } = await readData(contents, latest)
    expect(flags).toBe('a b')
    expect(warnings).toEqual([
      [
        'data/sample',
        undefined,
        '3 test cases are judged with the output validator arguments of most test cases, "a b", not with ""',
      ],
      [
        'data/secret/2.yaml',
        2,
        '1 test case is judged with the output validator arguments of most test cases, "a b", not with "c"',
      ],
    ])
  })
})

describe('the end of a judging', () => {
  it.each<[string, Contents, 'all' | undefined]>([
    ['after the first failed test case', {}, undefined],
    ['after all with continue at the top', { 'data/testdata.yaml': 'on_reject: continue\n' }, 'all'],
    ['after all with continue in secret', { 'data/secret/testdata.yaml': 'on_reject: continue\n' }, 'all'],
  ])('is %s', async (_, contents, run) => {
    expect((await readData({ ...two, ...contents }, legacy)).run).toBe(run)
  })
})
