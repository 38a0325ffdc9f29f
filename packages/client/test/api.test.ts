import { readFile, writeFile } from 'node:fs/promises'
import openapiTS, { astToString } from 'openapi-typescript'
import { expect, it } from 'vitest'

const document = new URL('../../../docs/openapi.json', import.meta.url)
const generated = new URL('../src/api.ts', import.meta.url)

it('matches docs/openapi.json (UPDATE_DOCS=1 generates it)', async () => {
  // Without comments, reworded descriptions change nothing here.
  const text = astToString(await openapiTS(document), { formatOptions: { removeComments: true } })
  if (process.env.UPDATE_DOCS) await writeFile(generated, text)
  else expect(await readFile(generated, 'utf8')).toBe(text)
})
