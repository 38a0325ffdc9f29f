import { describe, expect, it } from 'vitest'
import { PackageError, Warnings } from '../../src/problem-format/package-files.ts'
import type { FormatVersion, PackageMetadata } from '../../src/problem-format/package-problem.ts'
import { readPrograms } from '../../src/problem-format/submissions/submissions.ts'
import { packageFiles } from '../support/package-files.ts'

const YAML = 'submissions/submissions.yaml'

interface Options {
  readonly format?: FormatVersion
  readonly isScoring?: boolean
}

async function read(
  contents: Record<string, string | Buffer>,
  { format = '2025-09', isScoring }: Options = {},
) {
  const warnings = new Warnings()
  const metadata: PackageMetadata = {
    format,
    type: [isScoring ? 'scoring' : 'pass-fail'],
    names: {},
    keywords: [],
    limits: {},
  }
  const programs = await readPrograms(packageFiles(contents), metadata, warnings)
  return { programs, warnings: warnings.list }
}

/** The rules and the text of the only program. */
async function readOne(path: string, source: string, options: Options = {}, yaml?: string) {
  const { programs, warnings } = await read({ [path]: source, ...(yaml && { [YAML]: yaml }) }, options)
  expect(programs).toHaveLength(1)
  return { rules: programs[0]?.rules, expected: programs[0]?.expected, warnings }
}

describe('the folder of a program', () => {
  it.each([
    ['accepted', [{ permitted: ['AC'] }], 'ACCEPTED'],
    ['rejected', [{ required: ['RTE', 'TLE', 'WA'] }], 'not ACCEPTED'],
    ['wrong_answer', [{ permitted: ['AC', 'WA'], required: ['WA'] }], 'WRONG_ANSWER'],
    ['time_limit_exceeded', [{ permitted: ['AC', 'TLE'], required: ['TLE'] }], 'TIME_LIMIT_EXCEEDED'],
    ['run_time_error', [{ permitted: ['AC', 'RTE'], required: ['RTE'] }], 'RUNTIME_ERROR'],
    ['runtime_error', [{ permitted: ['AC', 'RTE'], required: ['RTE'] }], 'RUNTIME_ERROR'],
    [
      'brute_force',
      [{ permitted: ['AC', 'RTE', 'TLE'], required: ['RTE', 'TLE'] }],
      'RUNTIME_ERROR or TIME_LIMIT_EXCEEDED',
    ],
    ['compiler_error', [{ statuses: ['COMPILE_TIME_ERROR'] }], 'COMPILE_TIME_ERROR'],
    ['output_limit', [{ statuses: ['OUTPUT_LIMIT_EXCEEDED'] }], 'OUTPUT_LIMIT_EXCEEDED'],
    ['presentation_error', [{ statuses: ['PRESENTATION_ERROR', 'WRONG_ANSWER'] }], 'PRESENTATION_ERROR'],
  ])('gives the rules of 2025-09: %s', async (folder, rules, expected) => {
    expect(await readOne(`submissions/${folder}/a.py`, '')).toEqual({ rules, expected, warnings: [] })
  })

  it.each([
    ['accepted', [{ permitted: ['AC'] }], 'ACCEPTED'],
    ['wrong_answer', [{ permitted: ['AC', 'WA'], required: ['WA'], useForTimeLimit: false }], 'WRONG_ANSWER'],
    ['time_limit_exceeded', [{ permitted: ['AC', 'WA', 'TLE'], required: ['TLE'] }], 'TIME_LIMIT_EXCEEDED'],
    ['run_time_error', [{ required: ['RTE'] }], 'RUNTIME_ERROR'],
    ['partially_accepted', [{ hasPartialScore: true }], 'some points, but not all'],
  ])('gives the rules of legacy packages: %s', async (folder, rules, expected) => {
    const options = { format: 'legacy', isScoring: true } as const
    expect(await readOne(`submissions/${folder}/a.py`, '', options)).toEqual({
      rules,
      expected,
      warnings: [],
    })
  })

  it.each([
    ['mixed', 'legacy'],
    ['partially_accepted', 'legacy'],
    ['partially_accepted', '2025-09'],
    ['constructor', '2025-09'],
  ] as const)('has no rules if it has no meaning: %s of %s', async (folder, format) => {
    expect(await readOne(`submissions/${folder}/a.py`, '', { format })).toEqual({
      rules: [],
      expected: 'any verdict',
      warnings: [
        {
          file: `submissions/${folder}`,
          message: 'programs of this folder without an expected result may have any verdict',
        },
      ],
    })
  })
})

describe('the files of a program', () => {
  it('lists files and folders directly in the folders, sorted by path', async () => {
    const { programs, warnings } = await read({
      'submissions/accepted/z.cpp': '',
      'submissions/accepted/multi/main.py': '',
      'submissions/accepted/multi/lib/more.py': '',
      'submissions/accepted/single/Main.JAVA': '',
      'submissions/accepted/B.C': '',
      'submissions/accepted/.gitkeep': '',
      'submissions/accepted/none': '',
      'submissions/readme.txt': '',
    })
    const found = programs.map(({ path, source, extension }) => [path, source?.path, extension])
    expect(found).toEqual([
      ['submissions/accepted/B.C', 'submissions/accepted/B.C', 'C'],
      ['submissions/accepted/multi', undefined, 'py'],
      ['submissions/accepted/none', 'submissions/accepted/none', ''],
      ['submissions/accepted/single', 'submissions/accepted/single/Main.JAVA', 'java'],
      ['submissions/accepted/z.cpp', 'submissions/accepted/z.cpp', 'cpp'],
    ])
    expect(warnings).toEqual([
      {
        file: 'submissions/readme.txt',
        message: 'programs must be in a folder of submissions/: the file is not used',
      },
    ])
  })

  it('may be in any encoding', async () => {
    const source = Buffer.from('# caf\xe9\n# @EXPECTED_RESULTS@: TIMELIMIT', 'latin1')
    const { programs } = await read({ 'submissions/mixed/a.py': source })
    expect(programs[0]?.rules).toEqual([{ statuses: ['TIME_LIMIT_EXCEEDED'] }])
  })
})

describe('@EXPECTED_RESULTS@', () => {
  const slow = { statuses: ['TIME_LIMIT_EXCEEDED'] }

  it('replaces the rule of the folder in legacy packages', async () => {
    const options = { format: 'legacy-icpc' } as const
    const source = '# @EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT'
    expect(await readOne('submissions/wrong_answer/a.py', source, options)).toEqual({
      rules: [{ statuses: ['WRONG_ANSWER', 'PRESENTATION_ERROR', 'TIME_LIMIT_EXCEEDED'] }],
      expected: 'WRONG_ANSWER or TIME_LIMIT_EXCEEDED',
      warnings: [],
    })
  })

  it('warns if the folder says something else', async () => {
    const options = { format: 'legacy' } as const
    expect(await readOne('submissions/accepted/a.py', '# @EXPECTED_RESULTS@: TIMELIMIT', options)).toEqual({
      rules: [slow],
      expected: 'TIME_LIMIT_EXCEEDED',
      warnings: [
        {
          file: 'submissions/accepted/a.py',
          message: 'the expected result in the source is used, not that of the folder accepted',
        },
      ],
    })
  })

  it('replaces the rule of the folder in packages of 2025-09 too', async () => {
    const source = '# @EXPECTED_RESULTS@: TIMELIMIT'
    expect(await readOne('submissions/rejected/a.py', source)).toEqual({
      rules: [slow],
      expected: 'TIME_LIMIT_EXCEEDED',
      warnings: [],
    })
  })

  it('stays together with what submissions.yaml says of the folder', async () => {
    const source = '# @EXPECTED_RESULTS@: TIMELIMIT'
    const yaml = 'rejected:\n  message: late\n'
    const { rules } = await readOne('submissions/rejected/a.py', source, {}, yaml)
    expect(rules).toEqual([{ message: 'late' }, slow])
  })

  it('gives a score for scoring problems', async () => {
    const options = { format: 'legacy', isScoring: true } as const
    const { rules, expected } = await readOne('submissions/mixed/a.py', '# @EXPECTED_SCORE@: 40', options)
    expect({ rules, expected }).toEqual({ rules: [{ score: [40, 40] }], expected: 'score 40' })
  })
})

describe('submissions.yaml', () => {
  it('adds rules for a pattern, and for test cases', async () => {
    const yaml = `
time_limit_exceeded/*:
  language: python3
  message: too slow
  sample:
    permitted: [AC]
  secret/{1,2}*:
    permitted: [AC, TLE]
    required: TLE
    use_for_time_limit: false
`
    const { programs, warnings } = await read({ 'submissions/time_limit_exceeded/a.py': '', [YAML]: yaml })
    expect(programs[0]).toMatchObject({
      language: 'python3',
      rules: [
        { permitted: ['AC', 'TLE'], required: ['TLE'] },
        { message: 'too slow' },
        { cases: 'sample', permitted: ['AC'] },
        { cases: 'secret/{1,2}*', permitted: ['AC', 'TLE'], required: ['TLE'], useForTimeLimit: false },
      ],
      expected: 'TIME_LIMIT_EXCEEDED, ACCEPTED in sample, TIME_LIMIT_EXCEEDED in secret/{1,2}*',
    })
    expect(warnings).toEqual([])
  })

  it('replaces keys of a default folder, and keeps the others', async () => {
    const yaml = 'time_limit_exceeded:\n  permitted: [AC, WA, TLE]\n'
    const { rules } = await readOne('submissions/time_limit_exceeded/a.py', '', {}, yaml)
    expect(rules).toEqual([{ permitted: ['AC', 'WA', 'TLE'], required: ['TLE'] }])
  })

  it('ignores verdicts that a list repeats', async () => {
    const yaml = 'mixed/*:\n  permitted: [AC, AC, WA, WA]\n'
    const { rules } = await readOne('submissions/mixed/a.py', '', {}, yaml)
    expect(rules).toEqual([{ permitted: ['AC', 'WA'] }])
  })

  it('gives a meaning to other folders', async () => {
    const yaml = 'mixed:\n  permitted: [WA, TLE]\n'
    expect(await readOne('submissions/mixed/a.py', '', {}, yaml)).toEqual({
      rules: [{ permitted: ['WA', 'TLE'] }],
      expected: 'WRONG_ANSWER or TIME_LIMIT_EXCEEDED',
      warnings: [],
    })
  })

  it.each([
    ['lower', [{ permitted: ['AC', 'WA', 'RTE'] }]],
    ['upper', [{ required: ['TLE'] }]],
    ['false', [{ useForTimeLimit: false }]],
    ['true', []],
  ])('uses use_for_time_limit: %s', async (value, rules) => {
    const yaml = `mixed/a.py:\n  use_for_time_limit: ${value}\n`
    expect((await readOne('submissions/mixed/a.py', '', {}, yaml)).rules).toEqual(rules)
  })

  it('keeps another requirement beside use_for_time_limit: upper', async () => {
    const yaml = 'mixed/a.py: {required: [WA], use_for_time_limit: upper}\n'
    const { rules } = await readOne('submissions/mixed/a.py', '', {}, yaml)
    expect(rules).toEqual([{ required: ['WA'] }, { required: ['TLE'] }])
  })

  it('reads scores and ranges of scoring problems', async () => {
    const yaml = 'mixed/a.py:\n  score: [10, 40.5]\n  secret/group1:\n    score: 10\n'
    expect(await readOne('submissions/mixed/a.py', '', { isScoring: true }, yaml)).toEqual({
      rules: [{ score: [10, 40.5] }, { cases: 'secret/group1', score: [10, 10] }],
      expected: 'score 10 to 40.5, score 10 in secret/group1',
      warnings: [],
    })
  })

  it.each([
    ['accepted/*:\n  entrypoint: main\n', 2, 'entrypoint is not used'],
    ['accepted/*:\n  colour: red\n', 2, 'colour is an unknown key'],
    ['accepted/*:\n  secret:\n    colour: red\n', 3, 'colour is an unknown key'],
    ['accepted/*:\n  score: 3\n', 2, 'only scoring problems have a score: it is not used'],
    ['accepted/*:\n  model_solution: true\nlate/*:\n  authors: Me\n', 3, 'late/* matches no program'],
    [
      'accepted/*:\n  permitted: [WA]\n',
      undefined,
      'no result of submissions/accepted/a.py can agree with all permitted verdicts',
    ],
  ])('warns with the line: %j', async (yaml, line, message) => {
    const { warnings } = await readOne('submissions/accepted/a.py', '', {}, yaml)
    expect(warnings).toEqual([{ file: YAML, message, ...(line !== undefined && { line }) }])
  })

  it('is not used in legacy packages', async () => {
    const yaml = 'accepted:\n  permitted: [WA]\n'
    expect(await readOne('submissions/accepted/a.py', '', { format: 'legacy' }, yaml)).toEqual({
      rules: [{ permitted: ['AC'] }],
      expected: 'ACCEPTED',
      warnings: [{ file: YAML, message: 'legacy packages do not have this file: it is not used' }],
    })
  })

  it.each([
    ['- a', 1, 'the file must be a map'],
    ['accepted: 3', 1, 'accepted must be a map'],
    ['accepted/*:\n  permitted: [AC, OK]\n', 2, 'permitted must be a list of AC, WA, TLE and RTE'],
    ['accepted/*:\n\n  required: []\n', 3, 'required must be a list of AC, WA, TLE and RTE'],
    ['accepted/*:\n  secret:\n    message: [1]\n', 3, 'message must be a text'],
    [
      'accepted/*:\n  use_for_time_limit: maybe\n',
      2,
      'use_for_time_limit must be true, false, lower or upper',
    ],
    ['accepted/*:\n  model_solution: 3\n', 2, 'model_solution must be true or false'],
    ['accepted/*:\n  score: [1]\n', 2, 'score must be a number or a list of two'],
    ['accepted/*:\n  score: [2, 1]\n', 2, 'the first score must not be above the second'],
    ['x/{a:\n  score: 1\n', 1, 'x/{a is not a valid pattern'],
    ['accepted/*:\n  permitted: [AC]\n  required: [WA]\n', 1, 'permitted must contain a verdict of required'],
    [
      'accepted/*:\n  use_for_time_limit: lower\n  required: [TLE]\n',
      1,
      'permitted must contain a verdict of required',
    ],
    [
      'accepted:\n  use_for_time_limit: upper\n',
      1,
      'permitted must contain TLE for use_for_time_limit: upper',
    ],
  ])('refuses %j', async (yaml, line, message) => {
    const error = await read({ 'submissions/accepted/a.py': '', [YAML]: yaml }).catch((err: unknown) => err)
    expect(error).toEqual(new PackageError(YAML, line, message))
  })
})

describe('the bounds for programs', () => {
  const programs = (count: number, name = 'a') =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`submissions/accepted/${name}${i}.py`, '']))

  it('refuses more than 1,000 programs', async () => {
    expect((await read(programs(1000))).programs).toHaveLength(1000)
    await expect(read(programs(1001))).rejects.toThrow('submissions: it must have at most 1000 programs')
  })

  it('refuses many entries, long patterns and too many comparisons', async () => {
    const yaml = (count: number, pattern: string) =>
      Array.from({ length: count }, (_, i) => `"${pattern}${i}": {}\n`).join('')
    const refused = [
      [{ ...programs(1), [YAML]: yaml(201, 'x') }, 'submissions/submissions.yaml, line 1: the file must'],
      [{ ...programs(1), [YAML]: yaml(1, 'x'.repeat(100)) }, 'line 1: a pattern must have at most 100 char'],
      [{ ...programs(900, 'a'.repeat(200)), [YAML]: yaml(200, '*a'.repeat(40)) }, 'too many patterns'],
    ] as const
    for (const [files, message] of refused) await expect(read(files)).rejects.toThrow(message)
  })

  it('does not read the expected results of a source above 1 MiB', async () => {
    const source = `# @EXPECTED_RESULTS@: TIMELIMIT\n${'#'.repeat(1024 * 1024)}`
    const { rules, warnings } = await readOne('submissions/mixed/a.py', source)
    expect(rules).toEqual([])
    expect(warnings[0]?.message).toBe('the source has over 1 MiB: its expected results are not read')
  })
})
