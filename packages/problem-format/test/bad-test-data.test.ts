import { describe, expect, it } from 'vitest'
import type { PackageMetadata } from '../src/package/package-problem.ts'
import * as reading from './support/read-package.ts'

const { draft, latest, latestScoring, legacy, readData, refusalOf, testFiles } = reading

const two = testFiles('sample/1', 'secret/1')
const GROUP = 'data/secret/test_group.yaml'
const TEST = 'data/secret/1.yaml'
const LEGACY = 'data/secret/testdata.yaml'
const LEGACY_TOP = 'data/testdata.yaml'
const WRONG_FLAG = (flag: string) =>
  `, line 1: grader_flags must not have ${flag}: a failed test case rejects a submission`

const SECRET = 'data/secret'
const ARGS = 'output_validator_args'
const NAME = 'the test case must not have the name'
const RESERVED = 'a test case must not have the name test_group'
const ONLY = 'only data/sample, data/secret and the directories of data/secret may have this file'
const DIFFERENT = 'output_validator_args must not differ so often: test cases have 1002 different ones'

const LONG = 'b'.repeat(4095)
/** Only legacy packages have `testdata.yaml`. */
const metadataFor = (path: string) => (path.endsWith('testdata.yaml') ? legacy : latest)

/** Test cases that all have other arguments. */
function manyArguments(count: number): reading.Contents {
  const names = Array.from({ length: count }, (_, i) => `secret/${String(i + 1).padStart(4, '0')}`)
  const settings = names.map((name) => [`data/${name}.yaml`, `output_validator_args: [${name}]\n`])
  return { ...testFiles(...names), ...Object.fromEntries(settings) }
}

describe('bad test data', () => {
  it.each([
    [TEST, 'hint: x\nargs: 5\n', ', line 2: args must be array'],
    [GROUP, '- 5\n', ', line 1: must be object'],
    [GROUP, `${ARGS}:\n  - a\n  - b c\n`, `, line 3: ${ARGS}.1 must not be empty or contain white space`],
    [TEST, `${ARGS}: [a, ${LONG}]\n`, `, line 1: ${ARGS} must have at most 4096 characters together`],
    [LEGACY_TOP, 'on_reject: stop\n', ', line 1: on_reject must be equal to one of the allowed values'],
    [LEGACY_TOP, 'grader_flags: always_accept\n', WRONG_FLAG('always_accept')],
    [LEGACY, 'grader_flags: accept_if_any_accepted\n', WRONG_FLAG('accept_if_any_accepted')],
    ['data/sample/a/test_group.yaml', '', `: ${ONLY}`],
  ])('is refused: %s with %j', async (path, content, message) => {
    const contents = { ...two, ...testFiles('sample/a/1'), [path]: content }
    expect(await refusalOf(contents, metadataFor(path))).toBe(`PackageError: ${path}${message}`)
  })

  const levels = testFiles(`secret/${'a/'.repeat(20_000)}1`)
  const cases = testFiles(...Array.from({ length: 10_001 }, (_, i) => `secret/${i}`))
  it.each<[string, reading.Contents, PackageMetadata]>([
    ['data: the package must have at least one test case', { 'data/secret/a.txt': '' }, latest],
    [
      `${SECRET}/1.in: the test case must have an answer, ${SECRET}/1.ans`,
      { [`${SECRET}/1.in`]: '1' },
      legacy,
    ],
    [`${SECRET}: a scoring problem must have secret test cases`, testFiles('sample/1'), latestScoring],
    [`${SECRET}/a.in: ${NAME} of the directory ${SECRET}/a`, testFiles('secret/a', 'secret/a/b'), latest],
    [`${SECRET}/test_group.in: ${RESERVED}`, testFiles('secret/test_group'), latest],
    [`${SECRET}/1002.yaml, line 1: ${DIFFERENT}`, manyArguments(1002), latest],
    ['data: data must have at most 64 levels of directories', levels, legacy],
    ['data: the package must have at most 10000 test cases', cases, legacy],
  ])('is refused: %s', async (message, contents, metadata) => {
    expect(await refusalOf(contents, metadata)).toBe(`PackageError: ${message}`)
  })
})

const PROGRAMS = 'programs get no files: the test case is judged without them'
const HIDDEN = 'the file is stored, but not shown: solvers do not see secret test cases'
const STATIC = 'static_validation_score'
const SAMPLES = 'grader_flags: ignore_sample\n'
const BREAK = 'the whole problem has break, as data/secret'
const UNUSED = 'the file is stored, but not used'
const UNCHECKED = 'stored, not checked by verification'

describe('warnings', () => {
  it.each<[path: string, metadata: PackageMetadata, message: string, folder?: string]>([
    ['data/notes.txt', latest, UNUSED],
    ['data/secret/notes.txt', latest, UNUSED],
    ['data/secret/2.desc', legacy, `${UNUSED}: there is no data/secret/2.in`],
    ['data/sample/2.interaction', latest, `${UNUSED}: there is no data/sample/2.in`],
    ['data/secret/1.hint', latest, `${UNUSED}: this version has hints and descriptions in .yaml`],
    ['data/old/1.in', latest, 'stored, but not used', 'data/old'],
    ['data/invalid_input/1.in', latest, UNCHECKED, 'data/invalid_input'],
    ['data/invalid_output/1.in', latest, UNCHECKED, 'data/invalid_output'],
    ['data/valid_output/1.in', latest, UNCHECKED, 'data/valid_output'],
    ['data/invalid_inputs/1.in', draft, UNCHECKED, 'data/invalid_inputs'],
    ['data/secret/1.files/a/b.txt', latest, PROGRAMS, 'data/secret/1.files'],
    ['data/secret/1.out', latest, HIDDEN],
    [LEGACY, latest, 'the file is not used: packages of this version have test_group.yaml'],
    [GROUP, legacy, 'the file is not used: packages of this version have testdata.yaml'],
  ])('name the file: %s', async (path, metadata, message, folder = path) => {
    const { warnings, tests } = await readData({ ...two, [path]: '' }, metadata)
    expect(warnings).toEqual([[folder, undefined, message]])
    expect(tests).toHaveLength(2)
  })

  it.each<[path: string, content: string, message: string, line?: number]>([
    [TEST, 'hint: a\nfoo: b\n', 'the key foo is unknown and ignored', 2],
    [TEST, 'args: [a]\n', 'args is ignored: programs get no arguments'],
    [GROUP, 'input_visualizer_args: [a]\n', 'input_visualizer_args is ignored: visualizers are not run'],
    [GROUP, `${STATIC}: pass-fail\n`, `${STATIC} is ignored: static validators are not run`],
    [LEGACY, 'foo:\n', 'the key foo is unknown and ignored'],
    [LEGACY, 'accept_score: 5\n', 'accept_score is ignored: the problem is not of type scoring'],
    [LEGACY, 'grader_flags: foo\n', 'grader_flags ignores the unknown foo'],
    [LEGACY, SAMPLES, 'grader_flags ignores ignore_sample, which is only for data/testdata.yaml'],
    [LEGACY_TOP, SAMPLES, 'grader_flags ignores ignore_sample: samples must be right for ACCEPTED'],
    ['data/sample/testdata.yaml', 'on_reject: continue\n', `on_reject continue is ignored: ${BREAK}`],
  ])('name the line: %s with %j', async (path, content, message, line = 1) => {
    const { warnings, tests } = await readData({ ...two, [path]: content }, metadataFor(path))
    expect(warnings).toEqual([[path, line, message]])
    expect(tests).toHaveLength(2)
  })

  it('name a package without secret test cases', async () => {
    const { warnings } = await readData(testFiles('sample/1'), latest)
    expect(warnings).toEqual([['data/secret', undefined, 'the package has no secret test cases']])
  })
})
