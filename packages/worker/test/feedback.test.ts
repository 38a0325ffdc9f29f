import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { readFeedbackFile } from '../src/feedback.ts'

const folder = await makeTemporaryFolder()

it('reads a text up to the limit, without half a character at its end; replaces invalid UTF-8', async () => {
  const file = join(folder, 'text')
  const read = (limitBytes: number) => readFeedbackFile(folder, 'text', limitBytes)
  await writeFile(file, 'a€b')
  expect(await read(5)).toEqual({ text: 'a€b', isCut: false })
  expect(await read(3)).toEqual({ text: 'a', isCut: true })
  await writeFile(file, Buffer.from([0x61, 0xff, 0x62, 0xe2, 0x82]))
  expect(await read(100)).toEqual({ text: 'a\ufffdb\ufffd', isCut: false })
  await writeFile(file, '')
  expect(await read(5)).toEqual({ text: '', isCut: false })
  await writeFile(file, 'start')
  await truncate(file, 2 ** 40)
  expect(await read(5)).toEqual({ text: 'start', isCut: true })
})
