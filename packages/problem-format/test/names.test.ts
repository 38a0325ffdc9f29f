import { expect, it } from 'vitest'
import { readMetadata } from '../src/metadata/problem-yaml.ts'
import { Warnings } from '../src/package/package-files.ts'
import { packageFiles } from './support/package-files.ts'

async function readFiles(contents: Record<string, string>) {
  const warnings = new Warnings()
  const metadata = await readMetadata(packageFiles(contents), warnings)
  return { metadata, warnings: warnings.list.map(({ file, line, message }) => `${file}:${line} ${message}`) }
}

const REPLACED = 'is replaced: names have no invisible, control and direction characters'

it('replaces hidden characters of names and keywords, with a warning; line breaks become spaces (D11)', async () => {
  const { metadata, warnings } = await readFiles({
    'problem.yaml': `problem_format_version: 2025-09
name: {en: "Su\\u202Em", de: "Zwei\\nZahlen", sv: "Cafe\\u0301 \\u0627\\u200C\\u0646"}
uuid: 5d6a
keywords: ["a\\x1bb", "a\\u200Bb", Graphs, "Gra\\u200Dphs"]
`,
  })
  expect(metadata.names).toEqual({ en: 'Su\uFFFDm', de: 'Zwei Zahlen', sv: 'Caf\u00E9 \u0627\u200C\u0646' })
  expect(metadata.keywords).toEqual(['a\uFFFDb', 'Graphs'])
  expect(warnings.filter((text) => text.includes(REPLACED))).toEqual([
    `problem.yaml:2 name.en: U+202E ${REPLACED}`,
    `problem.yaml:2 name.de: U+000A ${REPLACED}`,
    ...['1B', '200B'].map((code) => `problem.yaml:4 keywords: U+${code.padStart(4, '0')} ${REPLACED}`),
  ])
})

it('replaces them in the names of DOMjudge too', async () => {
  const ini = 'name = Su\u202Em\nshort-name = "a\u200Bb"\n'
  const { metadata, warnings } = await readFiles({ 'domjudge-problem.ini': ini })
  expect(metadata).toMatchObject({ names: { en: 'Su\uFFFDm' }, short_name: 'a\uFFFDb' })
  expect(warnings).toEqual([
    `domjudge-problem.ini:2 short-name: U+200B ${REPLACED}`,
    `domjudge-problem.ini:1 name: U+202E ${REPLACED}`,
  ])
})
