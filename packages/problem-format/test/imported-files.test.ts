import { expect, it } from 'vitest'
import { planFiles } from '../src/imported-files.ts'
import { type PackageFiles, Warnings } from '../src/package/package-files.ts'
import { dropForeignFiles, warnOfMissingPrograms } from '../src/read-package.ts'
import { packageFiles } from './support/package-files.ts'
import { draft, latest, legacy } from './support/read-package.ts'

/** Empty files of these paths, and what a reader returns and warns of. */
function read<T>(paths: readonly string[], reader: (files: PackageFiles, warnings: Warnings) => T) {
  const files = packageFiles(Object.fromEntries(paths.map((path) => [path, ''])))
  const list = new Warnings()
  const result = reader(files, list)
  return { files, result, list, warnings: list.list.map(({ file, message }) => `${file}: ${message}`) }
}

/** The stored path, the path in the package and the public name of each file, and the warnings. */
function plan(paths: readonly string[], used: readonly string[] = [], shown: readonly string[] = []) {
  const { result, warnings } = read(paths, (files, list) =>
    planFiles(
      files,
      { used: new Set(used), shown: [...files.values()].filter(({ path }) => shown.includes(path)) },
      list,
    ),
  )
  return { stored: result.map(({ path, file, name }) => [path, file.path, name]), warnings }
}

const same = (path: string, name: string | null = null) => [path, path, name]

it('moves the files of other versions to the folders of 2025-09', () => {
  const moved = [
    ['input_validators/check.py', 'input_format_validators/check.py', null],
    ['statement/a.png', 'problem_statement/a.png', 'a.png'],
    ['statement/problem.en.pdf', 'problem.pdf', 'problem.en.pdf'],
    ['statement/problem.en.tex', 'problem_statement/problem.tex', 'problem.en.tex'],
    ['statement/problem.sv.tex', 'problem_statement/problem.sv.tex', 'problem.sv.tex'],
  ]
  const others = ['.timelimit', 'domjudge-problem.ini', 'output_validators/check.py']
  expect(plan([...others, ...moved.map(([, path]) => path ?? '')])).toEqual({ stored: moved, warnings: [] })
})

it('keeps one of the files that would have one path', () => {
  const paths = ['problem.pdf', 'problem_statement/problem.pdf', 'statement/problem.en.pdf']
  const warning = 'the file is not imported: statement/problem.en.pdf takes its place'
  const warnings = ['problem_statement/problem.pdf', 'problem.pdf'].map((path) => `${path}: ${warning}`)
  expect(plan(paths)).toEqual({ stored: [same('statement/problem.en.pdf', 'problem.en.pdf')], warnings })
})

it('leaves out test data, and names the files of samples that solvers may download', () => {
  const paths = ['1.in', '1.ans', '1.in.download', '1.png'].map((name) => `data/sample/${name}`)
  const used = ['data/sample/1.in', 'data/sample/1.ans']
  expect(plan(paths, used, ['data/sample/1.in.download']).stored).toEqual([
    same('data/sample/1.in.download', 'sample-1.in.download'),
    same('data/sample/1.png'),
  ])
})

it('adds the folder to a name that a file of the statement has', () => {
  expect(plan(['attachments/a-b.png', 'attachments/c.png', 'statement/a/b.png']).stored).toEqual([
    same('attachments/a-b.png', 'attachments-a-b.png'),
    same('attachments/c.png', 'c.png'),
    same('statement/a/b.png', 'a-b.png'),
  ])
})

it('refuses two files with one name', () => {
  expect(() => plan(['attachments/a.png', 'statement/a.png', 'statement/attachments-a.png'])).toThrow(
    'attachments/a.png: two other files have the names a.png and attachments-a.png',
  )
})

it('ignores auxiliary files', () => {
  const paths = ['.git/config', '-x', '.gitignore', 'attachments/.hidden', 'statement/-old/a.png']
  expect(plan(paths)).toEqual({ stored: [], warnings: [] })
})

it('warns once of each file and folder that is not imported or used', () => {
  const paths = [
    ...['Makefile', 'images/a.png', 'images/b.png', 'graders/sum.py', 'include/default/a.py'],
    ...['input_visualizer/a.py', 'output_visualizer/a.py', 'problem.html', 'static_validator/a.py'],
  ]
  expect(plan(paths)).toEqual({
    stored: [same('include/default/a.py')],
    warnings: [
      'Makefile: the file is not imported',
      'graders: not imported: the service does not run it',
      'images: the folder is not imported',
      'include: programs are compiled without the included files',
      'input_visualizer: not imported: the service does not run it',
      'output_visualizer: not imported: the service does not run it',
      'problem.html: the file is not imported',
      'static_validator: not imported: the service does not run it',
    ],
  })
})

it('says how to correct a name that is nearly right', () => {
  expect(plan(['Problem.yml', 'Attachment', 'submission/a.py', 'Statement/a.md', 'dat/x']).warnings).toEqual([
    'Attachment: the file is not imported',
    'Problem.yml: the file is not imported: rename it to problem.yaml',
    'Statement: the folder is not imported: rename it to statement',
    'dat: the folder is not imported',
    'submission: the folder is not imported: rename it to submissions',
  ])
})

it('warns once of each folder of attachments, and of names that are nearly those of statements', () => {
  const paths = [
    ...['attachments/more/a.txt', 'attachments/more/b.txt', 'attachments/templates/python/main.py'],
    ...['problem.english.pdf', 'statement/problem.en.md', 'statement/problem.english.md'],
  ]
  expect(plan(paths).warnings).toEqual([
    'problem.english.pdf: the file is not imported',
    'statement/problem.english.md: not used as a statement: its name must be like problem.en.md',
    'attachments/more: attachments have no folders: solvers get its files as more-…',
  ])
})

it('refuses a file over 64 MiB', () => {
  const [file] = packageFiles({ 'attachments/a.zip': '' }).values()
  if (file === undefined) throw new Error('no file')
  const files = new Map([[file.path, { ...file, bytes: 64 * 1024 * 1024 + 1 }]])
  expect(() => planFiles(files, { used: new Set(), shown: [] }, new Warnings())).toThrow(
    'attachments/a.zip: a file must have at most 67108864 bytes',
  )
})

const OF_2025_09 = [
  ...['data/sample/1.ans.download', 'data/sample/1.ans.statement', 'data/sample/1.in.download'],
  ...['data/sample/1.in.statement', 'data/sample/1.out', 'data/secret/1.yaml'],
  ...['data/secret/g/test_group.yaml', 'submissions/submissions.yaml'],
]
const OF_ALL = ['sample/1.interaction', 'secret/1.in', 'secret/testdata.yaml', 'testdata.yaml']

it.each([
  ['legacy packages', legacy, OF_2025_09],
  ['the draft', draft, ['data/secret/g/test_group.yaml']],
  ['2025-09', latest, []],
])('drops files that only 2025-09 gives a meaning to, with a warning: %s', (_, metadata, dropped) => {
  const paths = [...OF_2025_09, ...OF_ALL.map((path) => `data/${path}`)]
  const { files, result, list } = read(paths, (all, warnings) => dropForeignFiles(all, metadata, warnings))
  expect([...files.keys()].filter((path) => !result.has(path))).toEqual(dropped)
  expect(list.list.map(({ file }) => file)).toEqual(dropped)
})

const NO_PROGRAM = 'submissions/accepted: the package has no accepted program: the format requires one'
const NO_VALIDATOR = 'input_validators: the package has no input validator: the format requires one'
it.each([
  [['submissions/accepted/a.py', 'input_validators/check.py'], []],
  [['submissions/accepted/a.py', 'input_format_validators/check.py'], []],
  [
    ['submissions/wrong_answer/a.py', 'output_validator/check.py'],
    [NO_PROGRAM, NO_VALIDATOR],
  ],
])('requires an accepted program and an input validator: %j', (paths, expected) => {
  expect(read(paths, warnOfMissingPrograms).warnings).toEqual(expected)
})
