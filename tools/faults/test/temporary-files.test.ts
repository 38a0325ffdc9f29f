import { open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeServerFolder } from '../../local-servers/server-folder.ts'
import { findTemporaryFiles, readOpenBytes } from '../temporary-files.ts'

it('files with content are left, and one without a name counts while it is open', async () => {
  const { path: folder, remove } = await makeServerFolder('temporary-files')
  onTestFinished(remove)
  await writeFile(join(folder, 'empty'), '')
  expect(findTemporaryFiles(folder).ids).toEqual([])
  await writeFile(join(folder, 'upload'), 'half')
  expect(findTemporaryFiles(folder).ids).toEqual(['upload'])
  const path = join(folder, 'unnamed')
  const file = await open(path, 'wx+')
  await rm(path)
  await file.write('half')
  expect(readOpenBytes(process.pid, folder)).toBe(4)
  await file.close()
  expect(readOpenBytes(process.pid, folder)).toBe(0)
})
