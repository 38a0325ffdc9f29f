import { describe, expect, it, vi } from 'vitest'
import { Composer } from 'yaml'
import { readOwnSettings } from '../src/package/own-settings.ts'
import { MOST_LEVELS, makeTextFile, Warnings } from '../src/package/package-files.ts'
import { readYaml } from '../src/package/yaml-file.ts'

const read = (text: string, warnings = new Warnings()) => readYaml(makeTextFile('a.yaml', text), warnings)

const nested = (open: string, close: string, levels: number) =>
  `${open.repeat(levels)}x${close.repeat(levels)}`

const NESTED: readonly [name: string, nest: (levels: number) => string][] = [
  ['lists in brackets', (levels) => nested('[', ']', levels)],
  ['maps in braces', (levels) => nested('{a: ', '}', levels)],
  ['lists in lines', (levels) => nested('- ', '', levels)],
  [
    'maps by indentation',
    (levels) => Array.from({ length: levels }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
  ],
  ['maps and lists', (levels) => nested('{a: [', ']}', levels / 2)],
]

describe('nesting of YAML', () => {
  it.each(NESTED)('has at most 64 levels: %s', async (_, nest) => {
    await expect(read(nest(MOST_LEVELS))).resolves.toBeDefined()
    await expect(read(nest(MOST_LEVELS + 2))).rejects.toThrow(
      /^a\.yaml, line \d+: the file must have at most 64 levels$/,
    )
  })

  it.each(NESTED)('is refused before anything is composed: %s', async (_, nest) => {
    const compose = vi.spyOn(Composer.prototype, 'compose')
    await expect(read(nest(500))).rejects.toThrow('64 levels')
    expect(compose).not.toHaveBeenCalled()
    compose.mockRestore()
  })
})

it.each([
  [
    '[a\n',
    'a.yaml, line 1: Flow sequence in block collection must be sufficiently indented and end with a ]',
  ],
  ['a: b\nc: "d\n', 'a.yaml, line 2: Missing closing "quote'],
  ['a: b\nc: ]\n', 'a.yaml, line 2: Unexpected flow-seq-end token in YAML stream: "]"'],
  ['a: b\n---\nc: d\n', 'a.yaml, line 2: the file must have only one document'],
  ['a: b\n  c: d\n', 'a.yaml, line 1: Nested mappings are not allowed in compact mappings'],
  ['a: *b\n', 'a.yaml: Unresolved alias (the anchor must be set before the alias): b'],
])('the first syntax error of %j is told with its line', async (text, message) => {
  await expect(read(text)).rejects.toThrow(message)
})

describe('all YAML of a package', () => {
  it('has at most 16 MiB', async () => {
    const warnings = new Warnings()
    const text = `# ${'a'.repeat(256 * 1024 - 10)}\n`
    for (let i = 0; i < 64; i += 1) await read(text, warnings)
    await expect(read(text, warnings)).rejects.toThrow('all YAML files must have at most 16 MiB together')
  })

  it('has at most 200,000 values', async () => {
    const warnings = new Warnings()
    const text = `[${'1,'.repeat(100_000)}]`
    await read(text.replace('1,', ''), warnings)
    await expect(read(text, warnings)).rejects.toThrow(
      'all YAML files must have at most 200000 values together',
    )
  })
})

it('own settings have at most 64 levels and 200,000 values, which are counted before they are parsed', async () => {
  const file = (text: string) =>
    new Map([['.judge-data-layer.json', makeTextFile('.judge-data-layer.json', text)]])
  const parse = vi.spyOn(JSON, 'parse')
  for (const text of [`{"a": ${nested('[', ']', 100)}}`, `[${'1,'.repeat(200_001)}1]`])
    await expect(readOwnSettings(file(text))).rejects.toThrow('at most 64 levels and 200000 values')
  expect(parse).not.toHaveBeenCalled()
  parse.mockRestore()
  const strings = `{"source": "${'[{\\"'.repeat(1000)}"}`
  await expect(readOwnSettings(file(strings))).resolves.toMatchObject({ source: '[{"'.repeat(1000) })
})

it('warnings and errors are cut: a package may have long keys', () => {
  const warnings = new Warnings()
  for (let i = 0; i < 2000; i += 1) warnings.add('a', 'b'.repeat(100_000))
  expect(warnings.list.length).toBeLessThan(200)
  expect(warnings.list.at(-1)?.message).toMatch(/^… and 1\d\d\d more warnings$/)
  expect(JSON.stringify(warnings.list).length).toBeLessThan(200_000)
})
