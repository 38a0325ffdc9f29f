import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadAdministrationConfig, loadConfig, loadDatabaseConfig } from '../src/config/config.ts'
import { secretNames } from '../src/config/secret-names.ts'
import { refusalOf, secrets } from './support/configuration.ts'
import { makeTemporaryFolder } from './support/temporary-folder.ts'

describe('secrets from files', () => {
  const values = {
    ...secrets,
    DATABASE_URL: 'postgres://judge:hush@db/judge',
    AMQP_URL: 'amqp://judge:hush@mq',
  }

  /** Writes each value to a file; returns the variables `NAME_FILE` with the paths. */
  async function writeFiles(contents: Record<string, string>) {
    const folder = await makeTemporaryFolder()
    const entries = Object.entries(contents).map(async ([name, content]) => {
      const file = join(folder, name)
      await writeFile(file, content)
      return [`${name}_FILE`, file]
    })
    return Object.fromEntries(await Promise.all(entries))
  }

  it('give the same configuration as the variables, also for npm run migrate and npm run admin', async () => {
    expect(Object.keys(values)).toEqual([...secretNames])
    const lines = Object.entries(values).map(([name, value]) => [name, `${value}\n`])
    const files = await writeFiles(Object.fromEntries(lines))
    expect(loadConfig(files)).toEqual(loadConfig(values))
    expect(loadDatabaseConfig(files)).toEqual(loadDatabaseConfig(values))
    expect(loadAdministrationConfig(files)).toEqual(loadAdministrationConfig(values))
  })

  it('are refused with all other problems in one message, which shows no content and no path', async () => {
    const files = await writeFiles({ JWT_SIGNING_SECRET: ' ', JUDGE_PASSWORD: 'x', AMQP_URL: 'hush' })
    const variables = {
      ...{ ...files, JUDGE_PASSWORD: 'hush', DATABASE_URL_FILE: '/nowhere/hush' },
      PORT: 'http',
    }
    expect(refusalOf(variables).toSorted()).toEqual([
      'AMQP_URL must be a URL that begins with amqp:// or amqps://',
      'DATABASE_URL_FILE must be the path of a file with the secret (ENOENT)',
      'JUDGE_PASSWORD and JUDGE_PASSWORD_FILE must not both be set',
      'JWT_SIGNING_SECRET_FILE must be the path of a file with the secret (the file is empty)',
      'PORT must be a whole number from 0 to 65535',
      'WEB_BRIDGE_SECRET must be set to a secret of 16 bytes or more',
    ])
  })

  it('that a command does not need are not read by it', () => {
    const variables = { JUDGE_PASSWORD_FILE: '/nowhere', AMQP_URL_FILE: '/nowhere' }
    expect(() => loadDatabaseConfig(variables)).not.toThrow()
    expect(() => loadAdministrationConfig(variables)).not.toThrow()
  })
})
