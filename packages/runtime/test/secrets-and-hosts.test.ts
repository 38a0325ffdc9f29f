import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { readSecretFiles } from '../src/secret-files.ts'
import { splitHosts } from '../src/server-hosts.ts'

async function makeFile(content: string) {
  const file = join(await makeTemporaryFolder(), 'secret')
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
    const others = { OTHER: 'kept', OTHER_FILE: 'kept' }
    const read = readSecretFiles({ SECRET_FILE: await makeFile(content), ...others }, ['SECRET'])
    expect(read).toEqual({ variables: { SECRET: value, ...others }, problems: [] })
    // The variable with the path is gone: a second reading changes nothing.
    expect(readSecretFiles(read.variables, ['SECRET'])).toEqual(read)
  })

  it('counts a blank variable as unset, with and without _FILE', async () => {
    const file = await makeFile('hush')
    expect(readSecretFiles({ SECRET: ' ', SECRET_FILE: file }, ['SECRET']).variables.SECRET).toBe('hush')
    const read = readSecretFiles({ SECRET: 'hush', SECRET_FILE: ' ' }, ['SECRET'])
    expect(read).toEqual({ variables: { SECRET: 'hush' }, problems: [] })
  })

  it('lists every secret that is set twice, or whose file is missing, a folder or empty', async () => {
    const variables = {
      ...{ TWICE: 'hush', TWICE_FILE: await makeFile('hush') },
      ...{ MISSING_FILE: '/nowhere/secret', FOLDER_FILE: tmpdir(), EMPTY_FILE: await makeFile(' \n') },
    }
    const read = readSecretFiles(variables, ['TWICE', 'MISSING', 'FOLDER', 'EMPTY', 'UNSET'])
    const refuse = (name: string, reason: string) => ({
      ...{ name, message: `${name}_FILE must be the path of a file with the secret (${reason})` },
    })
    expect(read).toEqual({
      variables: { TWICE: 'hush' },
      problems: [
        { name: 'TWICE', message: 'TWICE and TWICE_FILE must not both be set' },
        ...[refuse('MISSING', 'ENOENT'), refuse('FOLDER', 'EISDIR'), refuse('EMPTY', 'the file is empty')],
      ],
    })
  })
})

it.each([
  [
    'amqp://user:a%2Cb@one:5672,two,three:1/queues?heartbeat=5',
    ['one:5672', 'two', 'three:1'].map((host) => `amqp://user:a%2Cb@${host}/queues?heartbeat=5`),
  ],
  ['postgres://u:a,b@one,two', ['postgres://u:a,b@one', 'postgres://u:a,b@two']],
  ['postgres://[::1]:5432,[::2]/judge', ['postgres://[::1]:5432/judge', 'postgres://[::2]/judge']],
  ['amqp://one?a=b,c@d', ['amqp://one?a=b,c@d']],
  ['postgres:///judge?host=/run,/tmp', ['postgres:///judge?host=/run,/tmp']],
  ['not a URL, but text', ['not a URL, but text']],
])('the hosts of %s', (url, expected) => {
  expect(splitHosts(url)).toEqual(expected)
})
