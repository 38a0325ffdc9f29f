import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readSecretFiles } from '../src/secret-files.ts'

async function makeFile(content: string) {
  const folder = await mkdtemp(join(tmpdir(), 'secret-files-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'secret')
  await writeFile(file, content)
  return file
}

describe('a secret from a file', () => {
  it.each([
    ['hush', 'hush'],
    ['hush\n', 'hush'],
    ['hush\r\n', 'hush'],
    [' hush \n\n', ' hush \n'],
    ['first\nsecond', 'first\nsecond'],
  ])('%j is the value %j: one newline at the end is removed', async (content, value) => {
    const variables = { SECRET_FILE: await makeFile(content), OTHER: 'kept', OTHER_FILE: 'kept' }
    expect(readSecretFiles(variables, ['SECRET'])).toEqual({
      variables: { SECRET: value, OTHER: 'kept', OTHER_FILE: 'kept' },
      problems: [],
    })
  })

  it('is read again without effect: the variable with the path is gone', async () => {
    const once = readSecretFiles({ SECRET_FILE: await makeFile('hush') }, ['SECRET'])
    expect(readSecretFiles(once.variables, ['SECRET'])).toEqual(once)
  })

  it('counts a blank variable as unset, with and without _FILE', async () => {
    const file = await makeFile('hush')
    expect(readSecretFiles({ SECRET: ' ', SECRET_FILE: file }, ['SECRET']).variables.SECRET).toBe('hush')
    expect(readSecretFiles({ SECRET: 'hush', SECRET_FILE: ' ' }, ['SECRET'])).toEqual({
      variables: { SECRET: 'hush' },
      problems: [],
    })
  })

  it('lists every secret that is set twice, or whose file is missing, a folder or empty', async () => {
    const variables = {
      ...{ TWICE: 'hush', TWICE_FILE: await makeFile('hush') },
      ...{ MISSING_FILE: '/nowhere/secret', FOLDER_FILE: tmpdir(), EMPTY_FILE: await makeFile(' \n') },
    }
    const names = ['TWICE', 'MISSING', 'FOLDER', 'EMPTY', 'UNSET']
    expect(readSecretFiles(variables, names)).toEqual({
      variables: { TWICE: 'hush' },
      problems: [
        { name: 'TWICE', message: 'TWICE and TWICE_FILE must not both be set' },
        {
          name: 'MISSING',
          message: 'MISSING_FILE must be the path of a file with the secret (ENOENT)',
        },
        { name: 'FOLDER', message: 'FOLDER_FILE must be the path of a file with the secret (EISDIR)' },
        {
          name: 'EMPTY',
          message: 'EMPTY_FILE must be the path of a file with the secret (the file is empty)',
        },
      ],
    })
  })
})
