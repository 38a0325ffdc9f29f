import { describe, expect, it } from 'vitest'
import { migrate, searchMigrations } from '../src/db/migrate.ts'
import { openTestApp } from './support/app.ts'

const service = await openTestApp({ SEARCH_BACKEND: 'postgres' })
const admin = await service.createPerson({ admin: true })
const user = await service.createPerson()
const categories = await service.send({ method: 'GET', url: '/v1/categories', token: admin.token })
const graphs = categories.body.find((category: { name: string }) => category.name === 'Graphs').id
await createProblem({ title: 'Fibonacci Numbers', prompt: 'Print the n-th number of the sequence.' })
await createProblem({ title: 'Bridges of Königsberg', prompt: 'Walk once.', category_ids: [graphs] })
await createProblem({ title: 'Sorting Cards', prompt: 'A deck wants order.', source: 'Zürich Open 2019' })
await createProblem({ title: 'Cards at Rest', prompt: 'Count the sequences of cards that do not move.' })
await createProblem({ title: 'Secret Fibonacci', prompt: 'Nobody reads this.', public: false })

async function createProblem(fields: object): Promise<number> {
  const body = {
    identifier: 'a-problem',
    prompt: 'Something.',
    difficulty: 'EASY',
    public: true,
    test_cases: [{ input: '1', expected_output: '1' }],
    ...fields,
  }
  const answer = await service.send({ method: 'POST', url: '/v1/problems', token: admin.token, body })
  expect(answer.status).toBe(201)
  return answer.body.id
}

async function search(text: string, who = user): Promise<string[]> {
  const url = `/v1/problems?${new URLSearchParams({ query: text })}`
  const answer = await service.send({ method: 'GET', url, token: who.token })
  expect(answer.status).toBe(200)
  return answer.body.map((problem: { title: string }) => problem.title)
}

describe('a search for problems (SEARCH_BACKEND=postgres)', () => {
  it('finds words of titles, identifiers, prompts, sources and categories, in any of their forms', async () => {
    await createProblem({ title: 'Plain', identifier: 'xyzzy-17' })
    expect(await search('bridge')).toEqual(['Bridges of Königsberg'])
    expect(await search('xyzzy-17')).toEqual(['Plain'])
    expect(await search('walking')).toEqual(['Bridges of Königsberg'])
    expect(await search('Zürich')).toEqual(['Sorting Cards'])
    expect(await search('graph')).toEqual(['Bridges of Königsberg'])
  })

  it('ranks a word in the title before one in the prompt', async () => {
    await createProblem({ title: 'Another Thing', prompt: 'It has to do with palindromes.' })
    await createProblem({ title: 'Palindromes', prompt: 'Something else.' })
    expect(await search('palindromes')).toEqual(['Palindromes', 'Another Thing'])
  })

  it('forgives typing errors in titles', async () => {
    expect(await search('fibbonaci')).toContain('Fibonacci Numbers')
    expect(await search('konigsberg')).toContain('Bridges of Königsberg')
  })

  it('shows private problems to nobody to whom the list does not show them', async () => {
    expect(await search('fibonacci')).toEqual(['Fibonacci Numbers'])
    expect((await search('fibonacci', admin)).sort()).toEqual(['Fibonacci Numbers', 'Secret Fibonacci'])
  })

  it('finds nothing for what nobody wrote, and everything for a blank text', async () => {
    expect(await search('qqqqwwwweeee')).toEqual([])
    const all = await service.send({ method: 'GET', url: '/v1/problems', token: user.token })
    expect(await search('  ')).toHaveLength(all.body.length)
  })

  it('takes any text as a text and never as syntax', async () => {
    const hostile = ["'", '"', '\\', 'a & | ! ( ) :*', '%', "'; drop table users; --", '<->', '-'.repeat(200)]
    for (const text of hostile) expect(await search(text)).toBeInstanceOf(Array)
  })

  it('is refused beyond 200 characters, since long ones cost the database seconds (400)', async () => {
    const url = `/v1/problems?query=${'x'.repeat(201)}`
    expect(await service.send({ method: 'GET', url, token: user.token })).toMatchObject({ status: 400 })
  })

  it('comes by page, in the order of its rank', async () => {
    const url = `/v1/problems?${new URLSearchParams({ query: 'cards', limit: '1' })}`
    const first = await service.send({ method: 'GET', url, token: user.token })
    const next = /<(.*)>/.exec(first.headers.link ?? '')?.[1] ?? ''
    const second = await service.send({ method: 'GET', url: next, token: user.token })
    const titles = [...first.body, ...second.body].map((problem: { title: string }) => problem.title)
    expect(titles).toEqual(await search('cards'))
    expect(titles).toHaveLength(2)
  })

  it('follows every change: of a problem, of its categories, and of the categories themselves', async () => {
    const id = await createProblem({ title: 'Ephemeral', prompt: 'First wording.' })
    const change = (body: object) =>
      service.send({ method: 'PUT', url: `/v1/problems/${id}`, token: admin.token, body })
    await change({ title: 'Perennial', prompt: 'Second wording.', category_ids: [graphs] })
    expect(await search('ephemeral')).toEqual([])
    expect(await search('perennial')).toEqual(['Perennial'])
    expect(await search('graphs')).toContain('Perennial')
    await change({ category_ids: [] })
    expect(await search('graphs')).not.toContain('Perennial')
    const made = await service.send({
      method: 'POST',
      url: '/v1/categories',
      token: admin.token,
      body: { name: 'Cryptography' },
    })
    await change({ category_ids: [made.body.id] })
    expect(await search('cryptography')).toEqual(['Perennial'])
    const category = `/v1/categories/${made.body.id}`
    await service.send({ method: 'DELETE', url: category, token: admin.token })
    expect(await search('cryptography')).toEqual([])
    await service.send({ method: 'DELETE', url: `/v1/problems/${id}`, token: admin.token })
    expect(await search('perennial')).toEqual([])
  })

  it('takes a prompt of several MiB', async () => {
    const words = Array.from({ length: 400_000 }, (_, i) => `word${i}`).join(' ')
    await createProblem({ title: 'Endless', prompt: words })
    expect(await search('word17')).toEqual(['Endless'])
  })

  it('is set up once, however often the service starts', async () => {
    await migrate(service.database, searchMigrations)
    expect(await search('bridge')).toEqual(['Bridges of Königsberg'])
  })
})

describe('without a search backend', () => {
  it('ignores the query (D38)', async () => {
    const plain = await openTestApp()
    const reader = await plain.createPerson()
    const url = '/v1/problems?query=anything'
    expect(await plain.send({ method: 'GET', url, token: reader.token })).toMatchObject({
      status: 200,
      body: [],
    })
    await plain.close()
  })
})
