import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readFeedbackFile } from '../src/feedback.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'feedback-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('reads a text up to the limit, without half a character at its end', async () => {
  await writeFile(join(folder, 'text'), 'a€b')
  expect(await readFeedbackFile(folder, 'text', 5)).toEqual({ text: 'a€b', isCut: false })
  expect(await readFeedbackFile(folder, 'text', 3)).toEqual({ text: 'a', isCut: true })
  await writeFile(join(folder, 'empty'), '')
  expect(await readFeedbackFile(folder, 'empty', 5)).toEqual({ text: '', isCut: false })
})

it('replaces invalid UTF-8, also at the end', async () => {
  await writeFile(join(folder, 'invalid'), Buffer.from([0x61, 0xff, 0x62, 0xe2, 0x82]))
  expect(await readFeedbackFile(folder, 'invalid', 100)).toEqual({ text: 'a\ufffdb\ufffd', isCut: false })
})

it('reads only the beginning of a huge file', async () => {
  await writeFile(join(folder, 'huge'), 'start')
  await truncate(join(folder, 'huge'), 2 ** 40)
  expect(await readFeedbackFile(folder, 'huge', 5)).toEqual({ text: 'start', isCut: true })
})

it('reads no link, pipe, socket, folder or missing file, and does not wait for one', async () => {
  const outside = join(folder, 'outside')
  await writeFile(outside, 'secret')
  await symlink(outside, join(folder, 'link'))
  await symlink(folder, join(folder, 'folder-link'))
  await mkdir(join(folder, 'folder'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  const server = createServer().listen(join(folder, 'socket'))
  const names = ['link', 'pipe', 'socket', 'folder', 'missing', '../outside', 'folder/../outside', '..', '']
  for (const name of names) expect(await readFeedbackFile(folder, name, 100), name).toBeUndefined()
  for (const parent of [join(folder, 'folder-link'), join(folder, 'missing'), outside])
    expect(await readFeedbackFile(parent, 'text', 100), parent).toBeUndefined()
  server.close()
})
