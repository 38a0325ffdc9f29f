import { expect, it } from 'vitest'
import { generatedFiles } from '../scripts/generated/files.ts'
import { readProjectFile } from '../scripts/generated/project-file.ts'

// test/db/migrate.test.ts compares the schema with that of a new database.
const files = generatedFiles.filter(({ path }) => path !== 'docs/schema.sql')

it.each(files)('$path is up to date (npm run generate)', async ({ path, generate }) => {
  const text = await readProjectFile(path)
  expect((await generate(text)) === text, `${path} is stale: run npm run generate`).toBe(true)
})
