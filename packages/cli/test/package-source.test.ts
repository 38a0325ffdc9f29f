import { rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { readZip } from '../../../test/support/read-zip.ts'
import { makeTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { findPackage } from '../src/shared/package-source.ts'
import { writeFiles } from './support/write-files.ts'

/** Writes files below `sum/` in a new folder; resolves to the path of `sum`. */
async function writeFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(await makeTemporaryFolder(), 'sum')
  await writeFiles(folder, files)
  return folder
}

const ignoreBytes = () => {}

const zipped = async (folder: string) => readZip(await buffer((await findPackage(folder)).open(ignoreBytes)))

describe('a folder', () => {
  it('becomes a zip with the name of the folder around all files, without those that tools hide', async () => {
    const folder = await writeFolder({
      ...{ 'problem.yaml': 'name: Sum\n', '.timelimit': '2', '.judge-data-layer.json': '{}' },
      ...{ '.git/config': 'x', '.DS_Store': 'x', 'data/.gitignore': 'x', 'submissions/.hidden/a.py': 'x' },
      'data/secret/01.in': '1 2\n',
    })
    await symlink('01.in', join(folder, 'data/secret/02.in'))
    expect(await zipped(`${folder}/`)).toEqual({
      ...{ 'sum/problem.yaml': 'name: Sum\n', 'sum/.timelimit': '2', 'sum/.judge-data-layer.json': '{}' },
      // A link inside the folder is replaced by its file.
      ...{ 'sum/data/secret/01.in': '1 2\n', 'sum/data/secret/02.in': '1 2\n' },
    })
  })

  it.each([['/etc/passwd'], ['..'], ['data']])('with a link to %s is refused', async (target) => {
    const folder = await writeFolder({ 'problem.yaml': 'name: Sum\n', 'data/a': 'x' })
    await symlink(target, join(folder, 'link'))
    await expect(findPackage(folder)).rejects.toMatchObject({
      ...{ exitCode: 2, message: expect.stringContaining('Links must lead to files of the package.') },
    })
  })

  it('whose file disappears before the upload is an error of the file system', async () => {
    const folder = await writeFolder({ 'problem.yaml': 'name: Sum\n', 'data/a': 'x' })
    const source = await findPackage(folder)
    await rm(join(folder, 'data/a'))
    await expect(buffer(source.open(ignoreBytes))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('with a file above 64 MiB is refused before the upload, and one of packages with the right command', async () => {
    const packages = await writeFolder({ 'a/problem.yaml': 'name: A\n', 'b/problem.yaml': 'name: B\n' })
    await expect(findPackage(packages)).rejects.toThrow(`Import them all with: ${packages}/*`)
    const folder = await writeFolder({ 'problem.yaml': 'name: Sum\n', 'data/secret/01.in': '' })
    await truncate(join(folder, 'data/secret/01.in'), 64 * 1024 * 1024 + 1)
    await expect(findPackage(folder)).rejects.toMatchObject({
      ...{ exitCode: 1, message: expect.stringMatching(/01\.in: is larger than 64 MiB\.$/) },
    })
  })
})

it('a zip is sent unchanged, and has a size before it is read, unlike folders and pipes', async () => {
  const file = join(await makeTemporaryFolder(), 'sum.zip')
  await writeFile(file, 'the bytes of a zip')
  const source = await findPackage(file)
  expect(source).toMatchObject({ bytes: 18, zipBytes: 18 })
  expect(await text(source.open(ignoreBytes))).toBe('the bytes of a zip')
  for (const path of ['/dev/null', await writeFolder({ 'problem.yaml': 'name: Sum\n' })])
    expect(await findPackage(path)).not.toHaveProperty('zipBytes')
})

it('the hash of a package depends on names and content, not on times', async () => {
  const files = { 'problem.yaml': 'name: A\n' }
  const hashOf = async (path: string) => (await findPackage(path)).hash()
  const hash = await hashOf(await writeFolder(files))
  const folder = await writeFolder(files)
  expect(await hashOf(folder)).toBe(hash)
  await symlink('problem.yaml', join(folder, 'other.yaml'))
  const others = [{ ...files, 'data/secret/1.in': '' }, { 'problem.yaml': 'name: B\n' }]
  for (const path of [folder, ...(await Promise.all(others.map(writeFolder)))])
    expect(await hashOf(path)).not.toBe(hash)
})
