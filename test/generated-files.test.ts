import { expect, it } from 'vitest'
import { generatedFiles, readProjectFile } from '../scripts/generated/files.ts'

it.each(generatedFiles)('$path is up to date (npm run generate)', async ({ path, generate }) => {
  const text = await readProjectFile(path)
  const isUpToDate = (await generate(text)) === text
  expect(isUpToDate, `${path} is stale: run npm run generate`).toBe(true)
})
