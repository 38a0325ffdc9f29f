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
