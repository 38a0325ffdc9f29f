import { describe, expect, it } from 'vitest'
import { migrate, searchMigrations } from '../src/db/migrate.ts'
import { unprepared } from '../src/db/statement.ts'
import { openTestApp } from './support/app.ts'
import { onPostgres } from './support/needs.ts'
import { createCategory, createProblem } from './support/problems.ts'
import { countDeadlocks } from './support/races.ts'
import { invalidField } from './support/refusals.ts'
import { collideAt } from './support/row-lock.ts'

const service = await openTestApp({ SEARCH_BACKEND: 'postgres' })
const admin = await service.createPerson({ admin: true })
const user = await service.createPerson()

const create = (title: string, prompt: string, fields = {}) =>
  createProblem(service, admin, { title, identifier: 'a-problem', prompt, public: true, ...fields })
const urlOf = (query: string) => `/v1/problems?${new URLSearchParams({ query })}`
const titlesOf = (problems: readonly { title: string }[]) => problems.map(({ title }) => title)
const search = async (query: string, caller = user) => titlesOf(await caller.get(urlOf(query), 200))

const categories: { id: string; name: string }[] = await user.get('/v1/categories')
const graphs = categories.find(({ name }) => name === 'Graphs')?.id
await create('Fibonacci Numbers', 'Print the n-th number of the sequence.')
await create('Bridges of Königsberg', 'Walk once.', { category_ids: [graphs] })
await create('Sorting Cards', 'A deck wants order.', { source: 'Zürich Open 2019' })
await create('Cards at Rest', 'Count the sequences of cards that do not move.')
await create('Secret Fibonacci', 'Nobody reads this.', { public: false })

describe('a search for problems (SEARCH_BACKEND=postgres)', () => {
  it('finds words of titles, identifiers, prompts, sources and categories, in any of their forms', async () => {
    await create('Plain', 'Something.', { identifier: 'xyzzy-17' })
    for (const [query, title] of [
      ['bridge', 'Bridges of Königsberg'],
      ['xyzzy-17', 'Plain'],
      ['walking', 'Bridges of Königsberg'],
      ['Zürich', 'Sorting Cards'],
      ['graph', 'Bridges of Königsberg'],
    ] as const) {
      expect(await search(query), query).toEqual([title])
    }
  })

  it('ranks a word in the title before one in the prompt', async () => {
    await create('Another Thing', 'It has to do with palindromes.')
    await create('Palindromes', 'Something else.')
    expect(await search('palindromes')).toEqual(['Palindromes', 'Another Thing'])
  })

  it('tolerates typing errors in titles', async () => {
    expect(await search('fibbonaci')).toContain('Fibonacci Numbers')
    expect(await search('konigsberg')).toContain('Bridges of Königsberg')
  })

  it('finds private problems only for callers who may see them', async () => {
    expect(await search('fibonacci')).toEqual(['Fibonacci Numbers'])
    expect((await search('fibonacci', admin)).sort()).toEqual(['Fibonacci Numbers', 'Secret Fibonacci'])
  })

  it('shows by list, tag and cursor nothing of private problems that match', async () => {
    const { id: authorId, ...author } = await service.createPerson({ admin: true })
    const secret = await create('Cards Cards', 'cards', { public: false, user_id: authorId })
    await admin.put(`/v1/users/${authorId}`, { is_admin: false })
    const { send } = await service.openBeside()
    const read = async ({ token }: { token: string }) => {
      const request = { method: 'GET', url: `${urlOf('cards')}&limit=1`, token } as const
      const { body, headers } = await send(request)
      return { titles: titlesOf(body), tag: headers.etag, next: headers.link }
    }
    const readers = [user, author, admin]
    const matching = await Promise.all(readers.map(read))
    // The index alone: a write to the problem would change every tag.
    const hide = `update problem_search set title = 'x', document = '' where problem_id = $1::integer`
    await service.database.query(unprepared(hide), [secret])
    const [own, byAuthor, byAdmin] = await Promise.all(readers.map(read))
    expect(own).toEqual(matching[0])
    expect(own?.titles).toEqual([(await search('cards'))[0]])
    for (const before of matching.slice(1)) expect(before.titles).toEqual(['Cards Cards'])
    for (const now of [byAuthor, byAdmin]) expect(now?.titles).toEqual(own?.titles)
    expect(new Set([own, byAuthor, byAdmin].map((one) => one?.tag)).size).toBe(3)
    const shown = await create('A Card', 'Another one that everybody may read.')
    expect((await read(user)).tag).not.toBe(own?.tag)
    for (const id of [secret, shown]) await admin.delete(`/v1/problems/${id}`)
  })

  it('finds nothing for an unknown word, and everything for a blank text', async () => {
    expect(await search('qqqqwwwweeee')).toEqual([])
    expect(await search('  ')).toHaveLength((await user.get('/v1/problems')).length)
  })

  it('never reads a text as syntax, and refuses more than 200 characters (400)', async () => {
    const hostile = ["'", '"', '\\', 'a & | ! ( ) :*', '%', "'; drop table users; --", '<->', '-'.repeat(200)]
    for (const text of hostile) expect(await search(text)).toBeInstanceOf(Array)
    // They would take the database seconds.
    await user.get(urlOf('x'.repeat(201)), invalidField('query'))
  })

  it('returns pages in the order of rank', async () => {
    const first = await user.send('GET', `${urlOf('cards')}&limit=1`)
    const second = await user.get(/<(.*)>/.exec(first.headers.link ?? '')?.[1] ?? '')
    const titles = titlesOf([...first.body, ...second])
    expect(titles).toEqual(await search('cards'))
    expect(titles).toHaveLength(2)
  })

  it('follows every change of a problem and its categories', async () => {
    const id = await create('Ephemeral', 'First wording.')
    const change = (body: object) => admin.put(`/v1/problems/${id}`, body)
    await change({ title: 'Perennial', prompt: 'Second wording.', category_ids: [graphs] })
    expect(await search('ephemeral')).toEqual([])
    expect(await search('perennial')).toEqual(['Perennial'])
    expect(await search('graphs')).toContain('Perennial')
    await change({ category_ids: [] })
    expect(await search('graphs')).not.toContain('Perennial')
    const category = await createCategory(service, admin, 'Cryptography')
    await change({ category_ids: [category.id] })
    expect(await search('cryptography')).toEqual(['Perennial'])
    await admin.delete(`/v1/categories/${category.id}`)
    expect(await search('cryptography')).toEqual([])
    await admin.delete(`/v1/problems/${id}`)
    expect(await search('perennial')).toEqual([])
  })

  it(
    'changes the categories of a problem while one of them is deleted, without a deadlock',
    onPostgres,
    async () => {
      const { id: categoryId } = await createCategory(service, admin, 'Deleted meanwhile')
      const id = await create('Moved', 'Between categories.', { category_ids: [categoryId] })
      const before = await service.database.query(countDeadlocks)
      const responses = await collideAt(
        service.databaseUrl,
        'select from problem_search where problem_search.problem_id = $1::integer for update',
        String(id),
        [
          () => admin.send('PUT', `/v1/problems/${id}`, { title: 'Moved again', category_ids: [] }),
          () => admin.send('DELETE', `/v1/categories/${categoryId}`),
        ],
      )
      expect(responses.map(({ status }) => status)).toEqual([200, 204])
      expect(await service.database.query(countDeadlocks)).toEqual(before)
    },
  )

  it('accepts a prompt of 1 MiB', async () => {
    await create('Endless', Array.from({ length: 100_000 }, (_, i) => `word${i}`).join(' '))
    expect(await search('word17')).toEqual(['Endless'])
  })

  it('survives later starts, which migrate again', async () => {
    await migrate(service.database, searchMigrations)
    expect(await search('bridge')).toEqual(['Bridges of Königsberg'])
  })
})
