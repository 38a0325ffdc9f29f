import { defaultLanguagesFile, readLanguages } from '@judge-data-layer/languages'
import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { fillLanguages } from '../../../src/features/judging/languages/seed.ts'
import { openTestApp } from '../../support/app.ts'
import type { Language } from '../../support/judging.ts'
import { notFound, refusal } from '../../support/refusals.ts'

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })
const user = await service.createPerson()

const url = '/v1/languages'
const list = (): Promise<Language[]> => service.anonymous.get(url)
const create = (fields: object): Promise<Language> => admin.post(url, { version: 'other', ...fields }, 201)
const retire = (id: string) => admin.delete(`${url}/${id}`, 204)

describe('the first start', () => {
  it('stores the twenty languages of the default file, with their first extensions (D22)', async () => {
    const stored = (await list()).map(({ name, extension, version }) => ({ name, extension, version }))
    expect(stored).toHaveLength(20)
    for (const { name, extensions, version } of await readLanguages(defaultLanguagesFile))
      expect(stored).toContainEqual({ name, extension: extensions[0], version })
  })

  it('is the only one that stores them: retired languages do not come back', async () => {
    await retire((await list()).find(({ name }) => name === 'Haskell')?.id ?? '')
    const before = await list()
    await fillLanguages(service.database, await readLanguages(defaultLanguagesFile))
    expect(await list()).toEqual(before)
  })

  it('stores them once if several instances start together', async () => {
    const languages = await readLanguages(defaultLanguagesFile)
    const forget = `delete from seeds where seeds.name = 'languages'; delete from languages;`
    await service.database.transaction((tx) => tx.execute(forget))
    await Promise.all([1, 2, 3, 4].map(() => fillLanguages(service.database, languages)))
    expect(await list()).toHaveLength(20)
  })
})

describe('the list of languages', () => {
  it('needs no token and ignores invalid ones [GET /v1/languages] [Fields: Language]', async () => {
    const [language] = await list()
    const text = expect.any(String)
    expect(language).toEqual({ id: text, name: text, extension: text, version: text })
    for (const caller of [user, service.as('nonsense')]) expect(await caller.get(url)).toEqual(await list())
  })

  it('has the order of the file, then of addition (D22)', async () => {
    const judged = (await readLanguages(defaultLanguagesFile)).map(({ name }) => name)
    const python = await create({ name: 'Python', extension: 'py' })
    const c = await create({ name: 'C', extension: 'c' })
    expect((await list()).map(({ name }) => name)).toEqual([...judged, 'Python', 'C'])
    for (const { id } of [python, c]) await retire(id)
  })
})

describe('adding a language (D22)', () => {
  it('responds with it and lists it [POST /v1/languages]', async () => {
    const python = { name: 'Python', extension: 'py', version: '2.7' }
    const language = await create(python)
    expect(language).toEqual({ ...python, id: expect.any(String) })
    expect(await list()).toContainEqual(language)
  })

  it.each([
    ['PYTHON', 'py', 'PYTHON', 'py'],
    ['py3', 'py', 'py3', 'py'],
    [' Free Pascal ', 'pp', 'Free Pascal', 'pp'],
    ['Kotlin', '.kt', 'Kotlin', 'kt'],
    ['Go', ' .GO ', 'Go', 'GO'],
    ['C++', 'cxx', 'C++', 'cxx'],
    ['C++', 'cc', 'C++', 'cc'],
  ])('accepts a name or alias in any case, with any of its extensions: %j, %j', async (...row) => {
    const [name, extension, storedName, storedExtension] = row
    const stored = { name: storedName, extension: storedExtension, version: `with ${storedExtension}` }
    expect(await create({ name, extension, version: ` with ${storedExtension} ` })).toMatchObject(stored)
  })

  it.each([
    ['Brainfuck', 'bf', /^name must be one of the judge’s languages: C, C\+\+, Python, .*OCaml$/],
    ['Python', 'rb', /^extension must be one of py for Python$/],
    ['cpp', 'c', /^extension must be one of cpp, cc, cxx for C\+\+$/],
    ['Python', '..py', /^extension must be one of py for Python$/],
    ['Python', '.', /^extension must be one of py for Python$/],
    ['Python', 'main.py', /^extension must be one of py for Python$/],
  ])('refuses %s with the extension %s, and names valid ones (400)', async (name, extension, message) => {
    const expected = refusal(400, '400', expect.stringMatching(message))
    await admin.post(url, { name, extension, version: '1' }, expected)
  })

  it('refuses the same name, in any case, with the same version (400)', async () => {
    await create({ name: 'Perl', extension: 'pl', version: '6' })
    const expected = refusal(400, '400', 'name and version must not be those of a language that exists')
    for (const name of ['Perl', 'PERL', ' perl '])
      await admin.post(url, { name, extension: 'pl', version: ' 6' }, expected)
  })

  it('succeeds for one of several concurrent requests (400 for the others)', async () => {
    const body = { name: 'Ruby', extension: 'rb', version: 'concurrent' }
    const responses = await Promise.all([1, 2, 3].map(() => admin.send('POST', url, body)))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400, 400])
  })
})

it('retiring a language (D22) removes it from the list, frees its name and keeps the row for its submissions (204) [DELETE /v1/languages/{language_id}]', async () => {
  const { id } = await create({ name: 'Scala', extension: 'scala' })
  await retire(id.toUpperCase())
  expect((await list()).map((language) => language.id)).not.toContain(id)
  const select = unprepared('select name from languages where id = $1 and retired_at is not null')
  expect(await service.database.query(select, [id])).toEqual([{ name: 'Scala' }])
  await admin.delete(`${url}/${id}`, notFound('language'))
  expect((await create({ name: 'Scala', extension: 'scala' })).id).not.toBe(id)
})
