import { expect, it } from 'vitest'
import { generatedFiles } from '../scripts/generated/files.ts'
import { readProjectFile } from '../scripts/generated/project-file.ts'
import { describeStatements } from '../scripts/read-statements.ts'

// test/db/migrate.test.ts compares the schema with that of a new database.
const files = generatedFiles.filter(({ path }) => path !== 'docs/schema.sql')

it.each(files)('$path is up to date (npm run generate)', async ({ path, generate }) => {
  const text = await readProjectFile(path)
  expect((await generate(text)) === text, `${path} is stale: run npm run generate`).toBe(true)
})

it('docs/schema.sql says for each function and trigger what it is for', async () => {
  const schema = await readProjectFile('docs/schema.sql')
  const all = [...schema.matchAll(/^(-- .+\n)?create (?:function|trigger) (\w+)/gm)]
  expect(all.length).toBeGreaterThan(100)
  const bare = all.filter(([, comment]) => comment === undefined).map(([, , name]) => name)
  expect(bare, 'write a comment of one line above each in docs/schema.sql').toEqual([])
})

it('npm run statements prints a statement by its name, those of a folder, or all', async () => {
  const statement = await describeStatements('read_user')
  expect(statement).toMatch(/^-- users -+\n\n-- read_user: \$1 .*\n(select|with) /)
  const [folder = '', all = ''] = [await describeStatements('users'), await describeStatements()]
  expect(folder).toContain(statement?.split('\n\n')[1] ?? '-')
  expect(all).toContain(folder.trimEnd())
  expect(await describeStatements('no_such_name')).toBeUndefined()
})
