import { describe, expect, it } from 'vitest'
import { openTestApp } from '../support/app.ts'
import type { Caller } from '../support/caller.ts'
import { running } from '../support/contests.ts'
import { createProblem as create } from '../support/problems.ts'
import { forbidden, invalid, notFound, refusal } from '../support/refusals.ts'
import { listUrls } from './list-urls.ts'

const origin = 'https://judge.example.org'
const service = await openTestApp({ SEARCH_BACKEND: 'postgres', CORS_ORIGINS: origin })
const admin = await service.createPerson({ admin: true })
const user = await service.createPerson()
const createProblem = (fields = {}) => create(service, admin, { public: true, ...fields })
for (let n = 0; n < 3; n += 1) await createProblem()
const { id: event_id } = await admin.post('/v1/events', { title: 'E', teams: true, ...running() })

const URL = '/v1/problems'

const get = (by: Caller, url = URL, tag?: string) =>
  by.send('GET', url, undefined, { origin, ...(tag !== undefined && { 'if-none-match': tag }) })

const tagOf = async (by: Caller = user, url = URL) => (await get(by, url)).headers.etag ?? ''

describe('every list', async () => {
  const other = { user_id: admin.id, problem_id: await createProblem(), submission_id: '' }
  const submission = { user_id: admin.id, problem_id: other.problem_id, source_code: 'echo' }
  const [{ id: language_id }] = await admin.get('/v1/languages')
  other.submission_id = (await admin.post('/v1/submissions', { ...submission, language_id })).id
  const lists = listUrls(service.routes, { event_id, ...other })

  it.each(lists)('$name has an entity tag and gives 304 if it is polled, otherwise none', async (list) => {
    const { url, route } = list
    const whole = await get(admin, url)
    expect(whole.status, whole.text).toBe(200)
    const { status, text, headers } = await get(admin, url, whole.headers.etag ?? '*')
    if (route.hasEntityTag) {
      expect(whole.headers.etag).toMatch(/^W\/"[\w.-]{30,80}"$/)
      expect({ status, text }).toEqual({ status: 304, text: '' })
    } else {
      expect({ status, text }).toEqual({ status: 200, text: whole.text })
      expect(headers).not.toHaveProperty('etag')
    }
  })
})

describe('an unchanged list', () => {
  it('gets 304 without a body, with the headers of the 200', async () => {
    const whole = await get(user)
    const { status, text, headers } = await get(user, URL, whole.headers.etag)
    expect({ status, text }).toEqual({ status: 304, text: '' })
    for (const name of ['etag', 'cache-control', 'vary', 'access-control-expose-headers'])
      expect(headers[name], name).toBe(whole.headers[name])
    expect(headers['cache-control']).toBe('private, no-cache')
    expect(headers.vary).toBe('Origin, Accept-Encoding')
    expect(headers).not.toHaveProperty('content-type')
    expect(headers).not.toHaveProperty('content-length')
  })

  it('gets 304 for every form of If-None-Match that contains its tag, and only for these', async () => {
    const tag = await tagOf()
    const strong = tag.slice(2)
    const matching = [strong, `"a", ${tag}`, `W/"b",${strong} , "c"`, `"with, comma", ${tag}`, '*', ' * ']
    for (const known of matching) expect((await get(user, URL, known)).status, known).toBe(304)
    const quoted = [`"${strong}`, `W/"x${strong.slice(1)}`, strong.slice(1, -1), strong.toUpperCase()]
    for (const other of ['', '"*"', ', ,', '"', ...quoted])
      expect((await get(user, URL, other)).status, other).toBe(200)
  })

  it('gets 304 for HEAD too, without a length', async () => {
    const tag = await tagOf()
    const head = (ifNoneMatch: string) => {
      const headers = { authorization: user.token, 'if-none-match': ifNoneMatch }
      return service.app.inject({ method: 'HEAD', url: URL, headers })
    }
    const unchanged = await head(tag)
    expect(unchanged).toMatchObject({ statusCode: 304, payload: '', headers: { etag: tag } })
    expect(unchanged.headers).not.toHaveProperty('content-length')
    expect(await head('')).toMatchObject({ statusCode: 200, payload: '', headers: { etag: tag } })
  })

  it('has one tag for all callers who see the same', async () => {
    const author = await service.createPerson()
    const readTags = () => Promise.all([user, author, admin, service.judge].map((by) => tagOf(by)))
    const [ofUser, ofAuthor, ofAdmin, ofJudge] = await readTags()
    expect(ofAuthor).toBe(ofUser)
    expect(ofJudge).toBe(ofAdmin)
    expect(ofAdmin).not.toBe(ofUser)
    await createProblem({ public: false, user_id: author.id })
    expect(new Set(await readTags()).size).toBe(3)
  })

  it('has different tags for each audience, page and search', async () => {
    const next = /<(.+)>/.exec((await get(user, `${URL}?limit=1`)).headers.link ?? '')?.[1] ?? ''
    const queries = ['?limit=1', '?limit=2', '?query=sum', '?query=sum&limit=1'].map((query) => URL + query)
    const variants: [Caller, string][] = [
      [admin, URL],
      ...[URL, next, ...queries].map((url): [Caller, string] => [user, url]),
    ]
    const tags: string[] = []
    for (const variant of variants) tags.push(await tagOf(...variant))
    expect(new Set(tags).size).toBe(variants.length)
    for (const [index, variant] of variants.entries()) {
      expect((await get(...variant, tags.filter((_, at) => at !== index).join(','))).status).toBe(200)
      expect((await get(...variant, tags.join(','))).status).toBe(304)
    }
  })

  it('has a new tag after a change of a found problem', async () => {
    const url = `${URL}?query=sum`
    const tag = await tagOf(user, url)
    expect((await get(user, url, tag)).status).toBe(304)
    await createProblem()
    const found = await get(user, url, tag)
    expect(found).toMatchObject({ status: 200, headers: { etag: expect.not.stringMatching(tag) } })
  })
})

it('a refusal does not depend on If-None-Match, and has no tag', async () => {
  const refused = [
    [service.as('no token'), URL, refusal(401, 'MALFORMED_TOKEN')],
    [user, `${URL}?after=x`, invalid],
    [user, `${URL}?limit=0`, invalid],
    [user, '/v1/events/2147483647/attempts', notFound('event')],
    [user, '/v1/events', forbidden],
  ] as const
  for (const [by, url, expected] of refused) {
    const response = await get(by, url, '*')
    expect(response, url).toMatchObject(expected)
    expect(response.headers).not.toHaveProperty('etag')
  }
})

it('refuses a deleted account with any entity tag (401)', async () => {
  const person = await service.createPerson()
  const tag = await tagOf(person)
  await person.delete(`/v1/users/${person.id}`)
  for (const known of [tag, '*'])
    expect(await get(person, URL, known)).toMatchObject(refusal(401, 'ACCOUNT_DELETED'))
})
