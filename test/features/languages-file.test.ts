import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createJudgeClient, type JudgeClient } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { pino } from 'pino'
import { afterEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { type Service, startService } from '../../src/service.ts'
import { openContractFetch } from '../../verification/contract.ts'
import { JUDGE_PASSWORD, JWT_SIGNING_SECRET, WEB_BRIDGE_SECRET } from '../support/app.ts'
import { openTestDatabase } from '../support/database.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const fooAndBar = `
[[languages]]
name = "Foo"
aliases = ["foolang"]
extensions = ["foo", "fo"]
version = "7"
source = "main.foo"
run = ["foo", "{source}"]

[[languages]]
name = "Bar"
extensions = ["bar"]
version = "1"
source = "main.bar"
run = ["bar", "{source}"]
`

const running: Service[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.stop()))
})

/** Where a service of this test's own finds its database, migrated and otherwise empty. */
async function databaseVariables(): Promise<Record<string, string>> {
  const template = inject('template')
  if (template.kind === 'pglite') {
    const DATA_DIR = await makeTemporaryFolder()
    await cp(template.dataDir, DATA_DIR, { recursive: true })
    return { DATA_DIR }
  }
  const { url = '', close } = await openTestDatabase()
  onTestFinished(close)
  return { DATABASE_URL: url }
}

async function start(variables: Record<string, string>): Promise<Service> {
  const config = loadConfig({
    JWT_SIGNING_SECRET,
    JUDGE_PASSWORD,
    WEB_BRIDGE_SECRET,
    BASIC_REGISTRATION_ENABLED: 'true',
    ADMIN_EMAILS: 'root@example.org',
    HOST: '127.0.0.1',
    PORT: '0',
    ...variables,
  })
  const service = await startService(config, pino({ level: 'silent' }))
  running.push(service)
  return service
}

async function writeLanguages(text: string): Promise<string> {
  const file = join(await makeTemporaryFolder(), 'languages.toml')
  await writeFile(file, text)
  return file
}

/** A client whose answers are held against the service's document; what they violate is looked at when the test ends. */
async function connect({ url: baseUrl }: Service): Promise<JudgeClient> {
  const { fetch, violations } = await openContractFetch(baseUrl)
  onTestFinished(() => expect(violations).toEqual([]))
  return createJudgeClient({ baseUrl, fetch })
}

const listNames = async (client: JudgeClient) =>
  (await orThrow(client.GET('/v1/languages'))).map(
    ({ name, extension, version }) => `${name} ${version} .${extension}`,
  )

describe('JUDGE_LANGUAGES_FILE', () => {
  it('says which languages are filled in at first, and which can be added (D22)', async () => {
    const JUDGE_LANGUAGES_FILE = await writeLanguages(fooAndBar)
    const service = await start({ JUDGE_LANGUAGES_FILE, ...(await databaseVariables()) })
    const client = await connect(service)
    expect(await listNames(client)).toEqual(['Bar 1 .bar', 'Foo 7 .foo'])

    const account = { name: 'Root', email: 'root@example.org', password: 'a password' }
    const { token } = await orThrow(client.POST('/v1/basic_register', { body: account }))
    client.setToken(token)
    const add = (name: string, extension: string) =>
      client.POST('/v1/languages', { body: { name, extension, version: '8' } })
    expect((await add('Python', 'py')).error).toMatchObject({
      code: '400',
      message: 'name must be one of the judge’s languages: Foo, Bar',
    })
    const { data, response } = await add('FooLang', '.fo')
    expect(response.status).toBe(201)
    expect(data).toMatchObject({ name: 'FooLang', extension: 'fo', version: '8' })
  })

  it('changes what can be added, and not what is there, at a later start', async () => {
    const database = await databaseVariables()
    const first = await start({ ...database, JUDGE_LANGUAGES_FILE: await writeLanguages(fooAndBar) })
    const before = await listNames(await connect(first))
    await first.stop()
    running.pop()
    const second = await start(database)
    expect(await listNames(await connect(second))).toEqual(before)
  })

  it('refuses the start where it names no file, or one that is not right, saying which', async () => {
    const missing = join(await makeTemporaryFolder(), 'missing.toml')
    await expect(start({ JUDGE_LANGUAGES_FILE: missing })).rejects.toThrow(/JUDGE_LANGUAGES_FILE must be/)
    const wrong = await writeLanguages(fooAndBar.replace('version = "7"', ''))
    await expect(start({ JUDGE_LANGUAGES_FILE: wrong })).rejects.toThrow(`${wrong}: languages[0] ("Foo")`)
  })
})
