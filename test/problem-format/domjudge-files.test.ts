import { expect, it } from 'vitest'
import { readMetadata } from '../../src/problem-format/metadata/problem-yaml.ts'
import { Warnings } from '../../src/problem-format/package-files.ts'
import { packageFiles } from '../support/package-files.ts'

const INI = 'domjudge-problem.ini'

async function read(contents: Record<string, string>) {
  const warnings = new Warnings()
  const metadata = await readMetadata(packageFiles(contents), warnings)
  return { metadata, warnings: warnings.list.map(({ file, line, message }) => `${file}:${line} ${message}`) }
}

it('takes name, short name and time limit from DOMjudge’s file', async () => {
  const text = '; a comment\n[problem]\nname = "Sum; of\r\n two"\nshort-name=sum # x\r\ntimelimit = \'1.5\'\n'
  const { metadata, warnings } = await read({ [INI]: text.replace(' # x', ' ; x') })
  expect(metadata).toMatchObject({
    names: { en: 'Sum; of\n two' },
    short_name: 'sum',
    limits: { time_limit: 1.5 },
  })
  expect(warnings).toEqual([])
})

it('prefers problem.yaml, then .timelimit, then the ini file', async () => {
  const both = { [INI]: 'timelimit = 1\nname=Other\nprobid=A\n', '.timelimit': '2.5\n' }
  expect((await read(both)).metadata.limits.time_limit).toBe(2.5)
  const { metadata, warnings } = await read({
    ...both,
    'problem.yaml': 'name: Sum\nlimits: {time_limit: 4}\n',
  })
  expect(metadata).toMatchObject({ names: { en: 'Sum' }, short_name: 'A', limits: { time_limit: 4 } })
  expect(warnings).toEqual([
    '.timelimit:1 not used: the time limit of problem.yaml is 4 s',
    `${INI}:2 name: not used, problem.yaml has another name`,
  ])
})

it('warns about keys that the service does not have', async () => {
  const { warnings } = await read({ [INI]: 'color = #ff0000\nspecial_compare=float\nsize=3\n' })
  expect(warnings).toEqual([
    `${INI}:1 color: not imported, a contest has the colours of its problems`,
    `${INI}:2 special_compare: not imported, the program is not in the package`,
    `${INI}:3 size: unknown key: not imported`,
  ])
})

it.each<[Record<string, string>, string]>([
  [
    { '.timelimit': 'two' },
    '.timelimit, line 1: the file must be a number of seconds above 0 and at most 86400',
  ],
  [
    { [INI]: '\ntimelimit=0\n' },
    `${INI}, line 2: timelimit must be a number of seconds above 0 and at most 86400`,
  ],
  [{ [INI]: 'name\n' }, `${INI}, line 1: must be \`key = value\``],
  [{ [INI]: '\nname = "Sum\n' }, `${INI}, line 2: the value must end with "`],
])('refuses %j', async (contents, message) => {
  await expect(read(contents)).rejects.toThrow(expect.objectContaining({ message }))
})
