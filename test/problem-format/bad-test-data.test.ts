import { describe, expect, it } from 'vitest'
import type { PackageMetadata } from '../../src/problem-format/package-problem.ts'
import {
  type Contents,
  draft,
  latest,
  latestScoring,
  legacy,
  readData,
  refusalOf,
  testFiles,
} from './read-package.ts'

const two = testFiles('sample/1', 'secret/1')

/** Test cases that all have other arguments. */
function manyArguments(count: number): Contents {
  const names = Array.from({ length: count }, (_, i) => `secret/${String(i + 1).padStart(4, '0')}`)
  const settings = names.map((name) => [`data/${name}.yaml`, `output_validator_args: [${name}]\n`])
  return { ...testFiles(...names), ...Object.fromEntries(settings) }
}

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
      'long arguments',
      { ...two, 'data/secret/1.yaml': `output_validator_args: [a, ${'b'.repeat(4095)}]\n` },
      latest,
      'data/secret/1.yaml, line 1: output_validator_args must have at most 4096 characters together',
    ],
    [
      'more than 1,000 other arguments',
      manyArguments(1002),
      latest,
      'data/secret/1002.yaml, line 1: output_validator_args must not differ so often: test cases have 1002 different ones',
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

  it('is refused: very many levels of directories', async () => {
    expect(await refusalOf(testFiles(`secret/${'a/'.repeat(20_000)}1`), legacy)).toBe(
      'PackageError: data: data must have at most 100 levels of directories',
    )
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
    line?: number | undefined,
    file?: string | undefined,
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
