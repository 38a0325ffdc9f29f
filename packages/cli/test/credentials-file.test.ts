import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { createCredentialsFile, formatCredentials } from '../src/credentials-file.ts'

const noon = new Date(2026, 11, 1, 12, 0, 5)
const account = { name: 'Nora "N" Berg', email: 'nora@example.org', password: 'h7kd-2mvp', team: '=Red' }

describe('the file of passwords', () => {
  it('has a new name each time, and only its owner can read it', async () => {
    const folder = await makeTemporaryFolder()
    const files = [await createCredentialsFile(folder, noon), await createCredentialsFile(folder, noon)]
    expect(files.map(({ path }) => path)).toEqual([
      join(folder, 'credentials-20261201-120005.csv'),
      join(folder, 'credentials-20261201-120005-2.csv'),
    ])
    for (const { path } of files) expect((await stat(path)).mode & 0o777).toBe(0o600)
    await Promise.all(files.map((file) => file.discard()))
    expect(await readdir(folder)).toEqual([])
  })

  it('has a row for each account, safe for spreadsheets', async () => {
    const file = await createCredentialsFile(join(await makeTemporaryFolder(), 'class.csv'))
    await file.write(formatCredentials([account, { name: 'Omar', email: 'omar@example.org', password: 'x' }]))
    expect(await readFile(file.path, 'utf8')).toBe(
      '\ufeffname,email,team,password\r\n' +
        `"Nora ""N"" Berg",nora@example.org,'=Red,h7kd-2mvp\r\nOmar,omar@example.org,,x\r\n`,
    )
  })

  it('replaces no file', async () => {
    const path = join(await makeTemporaryFolder(), 'class.csv')
    await writeFile(path, 'old')
    await expect(createCredentialsFile(path)).rejects.toMatchObject({
      ...{ exitCode: 2, message: `${path} exists already. Choose another name.` },
    })
    expect(await readFile(path, 'utf8')).toBe('old')
  })

  it('names a folder that does not exist', async () => {
    const path = join(await makeTemporaryFolder(), 'none', 'class.csv')
    await expect(createCredentialsFile(path)).rejects.toMatchObject({ code: 'ENOENT', path })
  })
})
