import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createJudgeClient, type JudgeClient } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { defaultLanguagesFile, readLanguages } from '@judge-data-layer/languages'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { unprepared } from '../../src/db/statement.ts'
import { fillLanguages } from '../../src/features/languages/seed.ts'
import { type Service, startService } from '../../src/service.ts'
import { openContractFetch } from '../../verification/contract.ts'
import { JUDGE_PASSWORD, JWT_SIGNING_SECRET, openTestApp, WEB_BRIDGE_SECRET } from '../support/app.ts'
import { openTestDatabase } from '../support/database.ts'
import { NOBODY } from '../support/ids.ts'
import { createProblem } from '../support/problems.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })
const user = await service.createPerson()

interface Language {
  readonly id: string
  readonly name: string
  readonly extension: string
  readonly version: string
}

const list = async (): Promise<Language[]> =>
  (await service.send({ method: 'GET', url: '/v1/languages' })).body
const post = (body: Record<string, unknown>, token = admin.token) =>
  service.send({ method: 'POST', url: '/v1/languages', token, body })
const retire = (id: string, token = admin.token) =>
  service.send({ method: 'DELETE', url: `/v1/languages/${id}`, token })
const create = async (body: Record<string, unknown>): Promise<Language> => {
  const answer = await post(body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

describe('the first start', () => {
  it('fills in the twenty languages of the default file, with their first extension (D22)', async () => {
    const judged = await readLanguages(defaultLanguagesFile)
    const shown = judged.map(({ name, extensions, version }) => ({ name, extension: extensions[0], version }))
    expect(shown).toHaveLength(20)
    const listed = (await list()).map(({ id: _, ...rest }) => rest)
    expect(listed).toHaveLength(20)
    expect(listed).toEqual(expect.arrayContaining(shown))
  })

  it('is the only one that fills them in: what was retired since does not come back', async () => {
    const haskell = (await list()).find(({ name }) => name === 'Haskell')
    await retire(haskell?.id ?? '')
    const before = await list()
    await fillLanguages(service.database, await readLanguages(defaultLanguagesFile))
    expect(await list()).toEqual(before)
  })

  it('fills them in once where several instances start at once', async () => {
    const languages = await readLanguages(defaultLanguagesFile)
    const forget = `delete from seeds where seeds.name = 'languages'; delete from languages;`
    await service.database.transaction((tx) => tx.execute(forget))
    const starts = [1, 2, 3, 4].map(() => fillLanguages(service.database, languages))
    await Promise.all(starts)
    expect(await list()).toHaveLength(20)
  })
})

describe('the list of languages', () => {
  it('needs no token, and minds none (specification, Languages) [GET /v1/languages] [Fields: Language]', async () => {
    const { status, body } = await service.send({ method: 'GET', url: '/v1/languages' })
    expect(status).toBe(200)
    expect(body[0]).toEqual({
      id: expect.any(String),
      name: expect.any(String),
      extension: expect.any(String),
      version: expect.any(String),
    })
    for (const token of [user.token, 'nonsense']) {
      expect(await service.send({ method: 'GET', url: '/v1/languages', token })).toMatchObject({
        status: 200,
      })
    }
  })

  it('is sorted by name', async () => {
    // By first letters: how the database goes on from there is its collation's to say.
    const letters = (await list()).map(({ name }) => name.charAt(0))
    expect(letters).toEqual(letters.toSorted())
  })
})

describe('adding a language (D22)', () => {
  it('answers 201 with it, and lists it [POST /v1/languages]', async () => {
    const made = await create({ name: 'Python', extension: 'py', version: '2.7' })
    expect(made).toEqual({ id: expect.any(String), name: 'Python', extension: 'py', version: '2.7' })
    expect(await list()).toContainEqual(made)
  })

  it.each([
    [
      { name: 'PYTHON', extension: 'py' },
      { name: 'PYTHON', extension: 'py' },
    ],
    [
      { name: 'py3', extension: 'py' },
      { name: 'py3', extension: 'py' },
    ],
    [
      { name: ' Free Pascal ', extension: 'pp' },
      { name: 'Free Pascal', extension: 'pp' },
    ],
    [
      { name: 'Kotlin', extension: '.kt' },
      { name: 'Kotlin', extension: 'kt' },
    ],
    [
      { name: 'Go', extension: ' .GO ' },
      { name: 'Go', extension: 'GO' },
    ],
    [
      { name: 'C++', extension: 'cxx' },
      { name: 'C++', extension: 'cxx' },
    ],
    [
      { name: 'C++', extension: 'cc', version: ' 20 ' },
      { name: 'C++', extension: 'cc', version: '20' },
    ],
  ])(
    'takes %j: a name or alias in any case, any extension that fits, a leading dot dropped',
    async (body, kept) => {
      expect(await create({ version: 'other', ...body })).toMatchObject(kept)
    },
  )

  it('is refused for a language that the judge is not configured for, naming those that it is (400) [POST /v1/languages]', async () => {
    const answer = await post({ name: 'Brainfuck', extension: 'bf', version: '1' })
    expect(answer).toMatchObject({ status: 400, body: { code: '400' } })
    expect(answer.body.message).toMatch(
      /^name must be one of the judge’s languages: C, C\+\+, Python, .*OCaml$/,
    )
  })

  it.each([
    ['Python', 'rb', 'extension must be one of py for Python'],
    ['cpp', 'c', 'extension must be one of cpp, cc, cxx for C++'],
    ['Python', '..py', 'extension must be one of py for Python'],
    ['Python', '.', 'extension must be one of py for Python'],
    ['Python', 'main.py', 'extension must be one of py for Python'],
  ])(
    'is refused for %s with the extension %s, naming those that fit (400)',
    async (name, extension, message) => {
      const answer = await post({ name, extension, version: '3' })
      expect(answer).toMatchObject({ status: 400, body: { code: '400', message } })
    },
  )

  it('is refused for the same name and version twice, whatever the name’s case (400)', async () => {
    await create({ name: 'Perl', extension: 'pl', version: '6' })
    for (const name of ['Perl', 'PERL', ' perl ']) {
      const answer = await post({ name, extension: 'pl', version: ' 6' })
      const message = 'name and version must not be those of a language that exists'
      expect(answer, name).toMatchObject({ status: 400, body: { code: '400', message } })
    }
  })

  it('is granted to one of several requests at once (400 to the others)', async () => {
    const body = { name: 'Ruby', extension: 'rb', version: 'at once' }
    const answers = await Promise.all([1, 2, 3].map(() => post(body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400])
  })

  const good = { name: 'Lua', extension: 'lua', version: '5.1' }

  it('is for admins (403)', async () => {
    for (const token of [user.token, service.judgeToken]) {
      expect(await post(good, token)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    }
  })
})

describe('retiring a language (D22)', async () => {
  let language: Language
  let version = 0
  const problemId = await createProblem(service, admin, { public: true })
  beforeEach(async () => {
    version += 1
    language = await create({ name: 'Scala', extension: 'scala', version: `retired ${version}` })
  })

  const submit = (language_id: string) => {
    const body = { user_id: user.id, problem_id: problemId, language_id, source_code: 'object Main' }
    return service.send({ method: 'POST', url: '/v1/submissions', token: user.token, body })
  }

  it('answers 204 and takes it out of the list; a second time it is 404 [DELETE /v1/languages/{language_id}]', async () => {
    expect(await retire(language.id.toUpperCase())).toMatchObject({ status: 204, text: '' })
    expect((await list()).map(({ id }) => id)).not.toContain(language.id)
    const message = 'There is no such language'
    expect(await retire(language.id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', message } })
  })

  it('takes it out of use: nothing can be submitted or run in it (404)', async () => {
    await retire(language.id)
    expect(await submit(language.id)).toMatchObject({
      status: 404,
      body: { error: 'There is no such language' },
    })
    const body = { language_id: language.id, source_code: 'object Main', stdin: '' }
    for (const path of ['input_submissions', 'public/input_submissions', 'bench/input_submissions']) {
      const answer = await service.send({ method: 'POST', url: `/v1/${path}`, token: user.token, body })
      expect(answer, path).toMatchObject({ status: 404, body: { error: 'There is no such language' } })
    }
  })

  it('leaves what was submitted in it as it was, language included', async () => {
    const { body } = await submit(language.id)
    await retire(language.id)
    const url = `/v1/submissions/${body.id}`
    for (const token of [user.token, service.judgeToken]) {
      const answer = await service.send({ method: 'GET', url, token })
      expect(answer).toMatchObject({ status: 200, body: { language_id: language.id, language } })
    }
  })

  it('frees its name and version for a new one with an id of its own', async () => {
    const { id, ...fields } = language
    await retire(id)
    const again = await create(fields)
    expect(again).toMatchObject(fields)
    expect(again.id).not.toBe(id)
    await retire(again.id)
    expect(await create(fields)).toMatchObject(fields)
  })

  it('keeps the row, retired, for what refers to it', async () => {
    await retire(language.id)
    const read = unprepared<{ name: string }>(
      'select name from languages where id = $1 and retired_at is not null',
    )
    expect(await service.database.query(read, [language.id])).toEqual([{ name: 'Scala' }])
  })

  it('is 404 for one that nobody knows, 400 for what is no UUID', async () => {
    expect(await retire(NOBODY)).toMatchObject({ status: 404 })
    const message = 'language_id must be a UUID'
    expect(await retire('Scala')).toMatchObject({ status: 400, body: { code: '400', message } })
  })

  it('is for admins (403)', async () => {
    for (const token of [user.token, service.judgeToken]) {
      expect(await retire(language.id, token)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    }
    expect(await list()).toContainEqual(language)
  })
})

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
