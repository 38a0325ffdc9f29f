import { expect, it } from 'vitest'
import { Warnings } from '../../src/problem-format/package-files.ts'
import { readYaml } from '../../src/problem-format/yaml-file.ts'
import { partOfFile, readMap, warnOfUnknownKeys } from '../../src/problem-format/yaml-part.ts'
import { packageFiles } from '../support/package-files.ts'

it('keeps 1,000 warnings of very many unknown keys, with their lines', async () => {
  const text = Array.from({ length: 25_000 }, (_, i) => `k${i}: 1\n`).join('')
  const [file] = packageFiles({ 'problem.yaml': text }).values()
  if (file === undefined) throw new Error('no file')
  const warnings = new Warnings()
  warnOfUnknownKeys(readMap(partOfFile(await readYaml(file))), [], warnings)
  expect(warnings.list).toHaveLength(1001)
  expect(warnings.list[999]).toEqual({
    file: 'problem.yaml',
    line: 1000,
    message: 'k999: unknown key: not imported',
  })
  expect(warnings.list[1000]).toEqual({ file: 'the package', message: '… and 24000 more warnings' })
})
