import { expect, it } from 'vitest'
import { readKeywords } from '../../src/problem-format/metadata/keywords.ts'
import { readYaml } from '../../src/problem-format/yaml-file.ts'
import { partOfFile } from '../../src/problem-format/yaml-part.ts'
import { packageFiles } from '../support/package-files.ts'

async function read(text: string) {
  const [file] = packageFiles({ 'problem.yaml': text }).values()
  if (file === undefined) throw new Error('no file')
  return readKeywords(partOfFile(await readYaml(file)))
}

it('keywords are distinct regardless of case', async () => {
  expect(await read('[" Graphs ", graphs, two words]')).toEqual(['Graphs', 'two words'])
  expect(await read('dp Graphs DP')).toEqual(['dp', 'Graphs'])
})

it.each([
  ['too long', `[${'a'.repeat(256)}]`, 'at most 255 characters each'],
  ['control characters', '["a\\x01b"]', 'must not contain control characters'],
  ['empty', '[a, " "]', 'must not be empty'],
  ['too many', JSON.stringify(Array.from({ length: 1001 }, (_, i) => `k${i}`)), 'must be at most 1000'],
])('keywords that cannot be categories are refused: %s', async (_, text, message) => {
  await expect(read(text)).rejects.toThrow(message)
})
