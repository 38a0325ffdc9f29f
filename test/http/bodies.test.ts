import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openTestApp } from '../support/app.ts'
import type { TestResponse } from '../support/caller.ts'
import { refusal } from '../support/refusals.ts'

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })

function postCategory(raw?: string | Buffer, headers: Record<string, string> = {}): Promise<TestResponse> {
  const { token } = admin
  const body = raw !== undefined && { raw }
  return service.send({ method: 'POST', url: '/v1/categories', token, headers, ...body })
}

const refused = (error: string) => ({ status: 400, body: { error, code: '400', message: error } })

describe('a body that is not JSON in UTF-8', () => {
  it('is refused if it is no valid JSON (400)', async () => {
    const bodies = ['{', '{"name":"a",}', "{'name':'a'}", '{"name":NaN}', '{"name":"a"} {}', 'name=a', '\0']
    for (const raw of bodies)
      expect(await postCategory(raw), raw).toMatchObject(refused('The body must be valid JSON'))
  })

  it.each([
    ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
    ...['application/jsonp', 'application/json; charset=utf-16', 'application/json; charset=iso-8859-1'],
    ...['application/json; version=1; charset = "utf-16"; x=y', 'application/json; charset=utf-80'],
    ...['application/json charset=utf-8', 'nonsense', 'a/b/c', ''],
  ])('is refused for its Content-Type %s (400)', async (type) => {
    const response = await postCategory('{"name": "typed"}', { 'content-type': type })
    expect(response).toMatchObject(refused('Content-Type must be application/json, in UTF-8'))
  })

  it('is refused if its bytes are not UTF-8 (400)', async () => {
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
      const raw = Buffer.concat([Buffer.from('{"name": "'), Buffer.from(bytes), Buffer.from('"}')])
      expect(await postCategory(raw)).toMatchObject(refused('The body must be UTF-8'))
    }
    expect(await postCategory(Buffer.from('{"name": "wide"}', 'utf16le'))).toMatchObject({ status: 400 })
  })

  it('is refused if it is compressed (400), and accepted with Content-Encoding identity', async () => {
    const json = '{"name": "compressed"}'
    for (const encoding of ['gzip', 'deflate', 'br', 'gzip, identity']) {
      const response = await postCategory(gzipSync(json), { 'content-encoding': encoding })
      expect(response, encoding).toMatchObject(refused('The body must not be compressed'))
    }
    expect(await postCategory(json, { 'content-encoding': 'Identity' })).toMatchObject({ status: 201 })
  })
})

describe('a JSON body', () => {
  it('is accepted with any form of its Content-Type', async () => {
    const types = [
      ...['application/json', 'APPLICATION/JSON', 'application/json;charset=UTF-8', 'application/json;'],
      ...['application/json ; charset="utf-8"', 'application/json; charset=utf8'],
      'application/json;version=1; charset=utf-8; odata=verbose',
    ]
    for (const [i, type] of types.entries()) {
      const response = await postCategory(`{"name": "typed ${i}"}`, { 'content-type': type })
      expect(response.status, `${type}: ${response.text}`).toBe(201)
    }
  })

  it('may begin with a byte order mark and end with white space', async () => {
    expect(await postCategory('\uFEFF {"name": "marked"}\r\n\t ')).toMatchObject({ status: 201 })
  })

  it('may be deeply nested in unknown and wrong fields', async () => {
    const arrays = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const objects = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    for (const nested of [arrays, objects])
      expect(await postCategory(`{"name": ${nested}}`)).toMatchObject(refused('name must be a string'))
    expect(await postCategory(`{"name": "deep", "x": ${arrays}}`)).toMatchObject({ status: 201 })
    expect(await postCategory(`{"__proto__": ${objects}}`)).toMatchObject({ status: 400 })
  })

  it('counts the last of two fields with the same name', async () => {
    expect(await postCategory('{"name": 1, "name": "last"}')).toMatchObject({ body: { name: 'last' } })
  })

  it('may have exactly 1 MiB (413)', async () => {
    const padded = (bytes: number) => `${'{"name": "padded", "x": "'.padEnd(bytes - 2, 'a')}"}`
    expect(padded(1_048_576)).toHaveLength(1_048_576)
    expect(await postCategory(padded(1_048_576))).toMatchObject({ status: 201 })
    const tooLarge = refusal(413, 'PAYLOAD_TOO_LARGE', 'The body is larger than this route takes')
    expect(await postCategory(padded(1_048_577))).toMatchObject(tooLarge)
  })
})

describe('a route without a body', () => {
  const loginJudge = (headers: Record<string, string>, raw?: string) => {
    const token = service.config.secrets.judgePassword
    const body = raw !== undefined && { raw }
    return service.send({ method: 'POST', url: '/v1/login_judge', token, headers, ...body })
  }

  it.each<Record<string, string>>([
    {},
    { 'content-type': 'application/json' },
    { 'content-type': 'application/json', 'content-length': '0' },
    { 'content-length': '0' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'nonsense' },
    { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
  ])('accepts no body with %j (D3)', async (headers) => {
    expect(await loginJudge(headers)).toMatchObject({ status: 200 })
    const { id } = await service.createPerson()
    expect((await admin.send('DELETE', `/v1/users/${id}`, undefined, headers)).status).toBe(204)
  })

  it('ignores a body that is not too large (413)', async () => {
    for (const raw of ['{}', '{', 'null', '\0'])
      expect(await loginJudge({}, raw)).toMatchObject({ status: 200 })
    expect(await loginJudge({ 'content-type': 'a' }, 'x')).toMatchObject({ status: 200 })
    expect(await loginJudge({}, 'a'.repeat(1_048_577))).toMatchObject({ status: 413 })
  })
})
