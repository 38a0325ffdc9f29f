import { readFile, writeFile } from 'node:fs/promises'
import openapiTS, { astToString } from 'openapi-typescript'
import { expect, it } from 'vitest'

const document = new URL('../../../docs/openapi.json', import.meta.url)
const generated = new URL('../src/api.ts', import.meta.url)

it('has the types of docs/openapi.json (UPDATE_DOCS=1 writes them anew)', async () => {
  // The shapes alone, so that a reworded description changes nothing here.
  const text = astToString(await openapiTS(document), { formatOptions: { removeComments: true } })
  if (process.env.UPDATE_DOCS) await writeFile(generated, text)
  else expect(await readFile(generated, 'utf8')).toBe(text)
})
