import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Language } from '../support/judging.ts'
import { freshDatabaseVariables } from '../support/process-database.ts'
import { startProductionService } from '../support/production-service.ts'
import { refusal } from '../support/refusals.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const LIST = '/v1/languages'

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

async function writeLanguages(text: string): Promise<string> {
  const file = join(await makeTemporaryFolder(), 'languages.toml')
  await writeFile(file, text)
  return file
}

async function startWith(variables: Record<string, string>) {
  const registration = { BASIC_REGISTRATION_ENABLED: 'true', ADMIN_EMAILS: 'root@example.org' }
  const { request, stop } = await startProductionService({ ...registration, ...variables })
  return {
    stop,
    listNames: async () => {
      const { body } = await request('GET', LIST)
      return body.map(({ name, extension, version }: Language) => `${name} ${version} .${extension}`)
    },
    logIn: async (path: string) => {
      const account = { name: 'Root', email: 'root@example.org', password: 'a password' }
      // The service refuses a password (503) that waits too long: a busy machine needs another try.
      const token = await until(async () => {
        const { body } = await request('POST', path, { body: account })
        expect(body).toHaveProperty('token')
        return body.token
      })
      return (name: string, extension: string) =>
        request('POST', LIST, { token, body: { name, extension, version: '8' } })
    },
  }
}

describe('JUDGE_LANGUAGES_FILE', () => {
  it('sets the first languages and those that can be added; later starts change only the latter (D22)', async () => {
    const database = await freshDatabaseVariables()
    const first = await startWith({ ...database, JUDGE_LANGUAGES_FILE: await writeLanguages(fooAndBar) })
    expect(await first.listNames()).toEqual(['Foo 7 .foo', 'Bar 1 .bar'])
    const add = await first.logIn('/v1/basic_register')
    const isUnknown = refusal(400, '400', 'name must be one of the judge’s languages: Foo, Bar')
    expect(await add('Python', 'py')).toMatchObject(isUnknown)
    const added = { name: 'FooLang', extension: 'fo', version: '8' }
    expect(await add('FooLang', '.fo')).toMatchObject({ status: 201, body: added })
    const names = await first.listNames()
    await first.stop()

    const second = await startWith(database)
    expect(await second.listNames()).toEqual(names)
    const addLater = await second.logIn('/v1/basic_login')
    expect(await addLater('Foo', 'foo')).toMatchObject({ status: 400 })
    expect(await addLater('Python', 'py')).toMatchObject({ status: 201 })
  })

  it('stops the start if the file is invalid, with an error that names it', async () => {
    const invalid = await writeLanguages(fooAndBar.replace('version = "7"', ''))
    const error = `${invalid}: languages[0] ("Foo")`
    await expect(startWith({ JUDGE_LANGUAGES_FILE: invalid })).rejects.toThrow(error)
  })
})
