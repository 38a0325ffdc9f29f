import { expect, it } from 'vitest'
import { dropForeignFiles } from '../../src/problem-format/foreign-files.ts'
import { Warnings } from '../../src/problem-format/package-files.ts'
import { packageFiles } from '../support/package-files.ts'
import { draft, latest, legacy } from './read-package.ts'

const paths = [
  ...['data/sample/1.ans.download', 'data/sample/1.ans.statement', 'data/sample/1.in.download'],
  ...[
    'data/sample/1.in.statement',
    'data/sample/1.out',
    'data/secret/1.yaml',
    'data/secret/g/test_group.yaml',
  ],
  'submissions/submissions.yaml',
]
const shared = [
  'data/sample/1.interaction',
  'data/secret/1.in',
  'data/secret/testdata.yaml',
  'data/testdata.yaml',
]

it.each([
  ['legacy packages', legacy, paths],
  ['the draft', draft, ['data/secret/g/test_group.yaml']],
  ['2025-09', latest, []],
])('files that only 2025-09 gives a meaning to are dropped with a warning: %s', (_, metadata, dropped) => {
  const files = packageFiles(Object.fromEntries([...paths, ...shared].map((path) => [path, ''])))
  const warnings = new Warnings()
  const kept = dropForeignFiles(files, metadata, warnings)
  expect([...files.keys()].filter((path) => !kept.has(path))).toEqual(dropped)
  expect(warnings.list.map(({ file }) => file)).toEqual(dropped)
})
