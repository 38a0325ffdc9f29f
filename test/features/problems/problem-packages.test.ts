import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { openTestApp, type Person } from '../../support/app.ts'
import { readTables } from '../../support/database-contents.ts'
import { sendPackage } from '../../support/packages.ts'
import { notFound } from '../../support/refusals.ts'
import { zipEntries } from '../../support/zip-packages.ts'

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })
const user = await service.createPerson()

type Contents = Readonly<Record<string, string | Buffer>>

const sum: Contents = {
  'problem.yaml': `problem_format_version: 2025-09
name: Sum of Two
uuid: 8ee7605a-ab1a-8226-1d71-e346ab1e688d
limits:
  time_limit: 1
keywords: [arithmetic, easy]
`,
  'statement/problem.en.md': 'Add two numbers.\n',
  'statement/diagram.png': Buffer.from([0x89, 0x50, 0xff, 0x00]),
  'statement/plot.svg': '<svg/>',
  'attachments/tool.py': 'print(1)\n',
  'attachments/page.html': '<script>alert(1)</script>',
  'data/sample/1.in': '1 2\n',
  'data/sample/1.ans': '3\n',
  'data/secret/1.in': '3 4\n',
  'data/secret/1.ans': '7\n',
  'data/secret/2.in': '5 6\n',
  'data/secret/2.ans': '11\n',
  'data/secret/2.yaml': 'hint: Add.\ndescription: larger\n',
  'input_validators/two.py': 'import sys\n\nsys.exit(42)\n',
  'submissions/accepted/sum.py': 'print(sum(map(int, input().split())))\n',
}

const send = async (files: Contents | Buffer, target: { problemId?: number; query?: string } = {}) => {
  const zip = Buffer.isBuffer(files) ? files : await zipEntries(Object.entries(files))
  return sendPackage(service, admin.token, zip, target)
}

async function importPackage(files: Contents | Buffer, query = ''): Promise<number> {
  const response = await send(files, { query })
  expect(response.status, response.text).toBe(201)
  return response.body.problem_id
}

async function exportPackage(id: number): Promise<Buffer> {
  const headers = { authorization: admin.token }
  const response = await service.app.inject({ url: `/v1/problem_packages/${id}`, headers })
  expect(response.statusCode, response.payload).toBe(200)
  expect(response.headers).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename="sumoftwo.zip"',
  })
  return response.rawPayload
}

const testsOf = (id: number) => admin.get(`/v1/problem_description/${id}/tests`)
const fileOf = (person: Person, id: number, name: string) =>
  person.send('GET', `/v1/problems/${id}/files/${name}`)
const namesOf = async (id: number): Promise<string[]> =>
  (await user.get(`/v1/problems/${id}/files`)).map(({ name }: { name: string }) => name)

describe('importing a package', () => {
  it('replaces hidden characters of names with a warning, and takes categories that are the same (D11)', async () => {
    const yaml = 'problem_format_version: 2025-09\nname: "Su\\u202Em"\nuuid: hidden\n'
    const keywords = 'keywords: ["Gra\\u200Cphs", "\\uFF27raphs", "a\\u200Bb"]\n'
    const hidden = Object.entries({ ...sum, 'problem.yaml': yaml + keywords })
    const { status, body } = await send(
      Object.fromEntries(hidden.map(([path, file]) => [`a\u202E/${path}`, file])),
    )
    expect(status).toBe(201)
    const { title, identifier, categories } = await admin.get(`/v1/problems/${body.problem_id}`)
    expect([title, identifier]).toEqual(['Su\uFFFDm', 'a\uFFFD'])
    expect(categories.map(({ name }: { name: string }) => name)).toEqual(['Graphs', 'a\uFFFDb'])
    const message = expect.stringMatching(/U\+202E is replaced: names have no invisible/)
    expect(body.warnings).toContainEqual({ file: 'the package', message })
    expect(body.warnings).toContainEqual({ file: 'problem.yaml', line: 2, message })
  })

  it('creates a private problem with its test cases, categories and files', async () => {
    const { status, body } = await send(sum)
    const imported = { test_cases: 3, statements: 1, files: 7, submissions: 1, validators: 1, categories: 2 }
    expect([status, body]).toEqual([201, { problem_id: expect.any(Number), imported, warnings: [] }])
    const problem = await admin.get(`/v1/problems/${body.problem_id}`)
    expect(problem).toMatchObject({
      ...{ title: 'Sum of Two', identifier: 'sum-of-two', prompt: 'Add two numbers.\n', public: false },
      ...{ difficulty: 'MEDIUM', execution_timeout: 1, accept_timeout: 3, memory_limit: 2048 },
      categories: [{ name: 'arithmetic' }, { name: 'easy' }],
      validation: { type: 'default', flags: '' },
    })
    expect(problem).not.toHaveProperty('timeout_is_provisional')
    const { test_cases } = await testsOf(body.problem_id)
    expect(test_cases).toMatchObject([
      { name: 'sample/1', input: '1 2\n', expected_output: '3\n', hidden: false },
      { name: 'secret/1', input: '3 4\n', expected_output: '7\n', hidden: true },
      { name: 'secret/2', hidden: true, hint: 'Add.', description: 'larger' },
    ])
  })

  it('takes difficulty and visibility from the query, and shows a provisional time limit to staff', async () => {
    const yaml = 'problem_format_version: 2025-09\nname: A\nuuid: a\n'
    const id = await importPackage({ ...sum, 'problem.yaml': yaml }, '?difficulty=HARD&public=true')
    const provisional = { difficulty: 'HARD', execution_timeout: 2, timeout_is_provisional: true }
    expect(await admin.get(`/v1/problems/${id}`)).toMatchObject(provisional)
    expect(await user.get(`/v1/problems/${id}`)).not.toHaveProperty('timeout_is_provisional')
    await admin.put(`/v1/problems/${id}`, { execution_timeout: 2 })
    expect(await admin.get(`/v1/problems/${id}`)).not.toHaveProperty('timeout_is_provisional')
  })

  it('warns of byte-order marks and line ends of Windows in test cases, which it keeps', async () => {
    const texts = { 'data/secret/1.in': '\uFEFF3 4\n', 'data/secret/2.ans': '1\n1\r\n' }
    const { body } = await send({ ...sum, ...texts })
    expect(body.warnings.filter(({ file }: { file: string }) => file.startsWith('data/'))).toMatchObject([
      { file: 'data/secret/1.in', line: 1, message: expect.stringContaining('byte-order mark') },
      { file: 'data/secret/2.ans', line: 2, message: expect.stringContaining('CR LF') },
    ])
    const { test_cases } = await testsOf(body.problem_id)
    expect([test_cases[1].input, test_cases[2].expected_output]).toEqual(['\uFEFF3 4\n', '1\n1\r\n'])
  })
})

it('a package with the uuid of another problem is imported with a warning that names it; replacing that problem gives none', async () => {
  const uuid = randomUUID()
  const withUuid = (text: string) => ({
    ...sum,
    'problem.yaml': `problem_format_version: 2025-09\nname: A\nuuid: ${text}\n`,
  })
  const first = await send(withUuid(uuid))
  expect(first).toMatchObject({ status: 201, body: { warnings: [] } })
  const { problem_id } = first.body
  expect(await send(withUuid(uuid), { problemId: problem_id })).toMatchObject({ body: { warnings: [] } })
  const message = `uuid: problem ${problem_id} has the same one; PUT /v1/problem_packages/${problem_id} replaces that problem`
  const warnings = [{ file: 'problem.yaml', line: 3, message, problem_id }]
  const second = await send(withUuid(uuid.toUpperCase()))
  expect(second).toMatchObject({ status: 201, body: { warnings } })
  const third = await importPackage(withUuid(randomUUID()))
  expect(await send(withUuid(uuid), { problemId: third })).toMatchObject({ status: 200, body: { warnings } })
  for (const id of [problem_id, third]) await admin.delete(`/v1/problems/${id}`)
  const replaced = await send(withUuid(uuid), { problemId: second.body.problem_id })
  expect(replaced).toMatchObject({ status: 200, body: { warnings: [] } })
  const long = randomBytes(50_000).toString('hex')
  const id = await importPackage(withUuid(long))
  expect((await send(withUuid(long))).body).toMatchObject({ warnings: [{ problem_id: id }] })
})

it('replacing a problem by a package keeps the ids of test cases with the same texts, the difficulty and the visibility', async () => {
  const id = await importPackage(sum, '?difficulty=EASY&public=true')
  const { test_cases: before } = await testsOf(id)
  const { 'data/secret/1.in': input, 'data/secret/1.ans': answer, ...rest } = sum
  const moved = { ...rest, 'data/secret/3.in': input ?? '', 'data/secret/3.ans': answer ?? '' }
  const { 'attachments/tool.py': __, ...changed }: Contents = { ...moved, 'data/secret/2.in': '6 5\n' }
  expect(await send(changed, { problemId: id })).toMatchObject({ status: 200, body: { problem_id: id } })
  const { test_cases: after } = await testsOf(id)
  expect(after.map(({ name }: { name: string }) => name)).toEqual(['sample/1', 'secret/2', 'secret/3'])
  expect([after[0].id, after[2].id]).toEqual([before[0].id, before[1].id])
  expect(before.map(({ id }: { id: string }) => id)).not.toContain(after[1].id)
  expect(await admin.get(`/v1/problems/${id}`)).toMatchObject({ difficulty: 'EASY', public: true })
  expect(await fileOf(admin, id, 'tool.py')).toMatchObject({ status: 404 })
  expect(await send(sum, { problemId: 999_999 })).toMatchObject(notFound('problem'))
})

it('an import that fails at its last file stores nothing, and leaves a problem that it would replace unchanged', async () => {
  const id = await importPackage(sum)
  const { database } = service
  const refuseFile = `alter table problem_file_parts add constraint refused check (content <> 'refused')`
  await database.query(unprepared(refuseFile))
  const before = await readTables(database)
  const broken = { ...sum, 'data/secret/1.in': '8 9\n', 'submissions/accepted/z.py': 'refused' }
  for (const target of [{}, { problemId: id }])
    expect(await send(broken, target)).toMatchObject({ status: 500 })
  expect(await readTables(database)).toEqual(before)
  await database.query(unprepared('alter table problem_file_parts drop constraint refused'))
})

/** A sample that solvers see in another form, and a statement in a second language. */
const shownSample: Contents = {
  ...sum,
  'problem.yaml': `${sum['problem.yaml']}constants: { most: 1000 }\n`.replace(
    'name: Sum of Two',
    'name: { en: Sum of Two, sv: Summa }',
  ),
  'statement/problem.sv.md': 'Addera två tal, högst {{most}} och {{least}}.\n',
  'data/sample/1.in.statement': '1 2 …\n',
  'data/sample/1.in.download': '1 2\n',
}

describe('a file of a problem', () => {
  it('has the values of constants if it is a statement, and an export has their names', async () => {
    const id = await importPackage(shownSample, '?public=true')
    for (const one of [id, await importPackage(await exportPackage(id), '?public=true')]) {
      const { text, headers } = await fileOf(user, one, 'problem.sv.md')
      expect(text).toBe('Addera två tal, högst 1000 och {{least}}.\n')
      expect(headers['content-length']).toBe(String(Buffer.byteLength(text)))
    }
  })

  it.each([
    ['deletes it', 'DELETE', undefined],
    ['changes its input', 'PUT', { input: '2 1\n' }],
    ['replaces all test cases', 'PUT', [{ input: '5', expected_output: '5', hidden: false }]],
  ] as const)('that shows a sample is deleted with a request that %s', async (_, method, body) => {
    const id = await importPackage(shownSample, '?public=true')
    const url = `/v1/problems/${id}/test_cases/${(await testsOf(id)).test_cases[0].id}`
    const before = await namesOf(id)
    expect(before).toEqual(expect.arrayContaining(['sample-1.in.download', 'sample-1.in.statement']))
    await admin.put(url, { hidden: true })
    expect(await namesOf(id)).toEqual(before)
    if (Array.isArray(body)) await admin.put(`/v1/problems/${id}`, { test_cases: body })
    else expect((await admin.send(method, url, body)).status).toBe(204)
    expect(await namesOf(id)).toEqual(before.filter((name) => !name.startsWith('sample-1.')))
    const again = await importPackage(await exportPackage(id))
    if (Array.isArray(body)) expect((await testsOf(again)).test_cases).toMatchObject(body)
  })

  it('is shown if its type is harmless, and a download otherwise; no script in it runs', async () => {
    const id = await importPackage(sum, '?public=true')
    const expected = [
      ['diagram.png', 'image/png', 'inline'],
      ['plot.svg', 'application/octet-stream', 'attachment'],
      ['page.html', 'application/octet-stream', 'attachment'],
      ['problem.en.md', 'text/plain; charset=utf-8', 'inline'],
      ['tool.py', 'application/octet-stream', 'attachment'],
    ]
    for (const [name = '', type, disposition] of expected) {
      const response = await fileOf(user, id, name)
      expect(response.headers, name).toMatchObject({
        'content-type': type,
        'content-disposition': `${disposition}; filename="${name}"`,
        'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
        'x-content-type-options': 'nosniff',
      })
      const known = { 'if-none-match': response.headers.etag ?? '' }
      expect((await user.send('GET', `/v1/problems/${id}/files/${name}`, undefined, known)).status).toBe(304)
    }
  })

  it('exists only for users who see the problem, and submissions are no files for them', async () => {
    const id = await importPackage(sum)
    await user.get(`/v1/problems/${id}/files`, notFound('problem'))
    expect(await fileOf(user, id, 'diagram.png')).toMatchObject(notFound('file of the problem'))
    await admin.put(`/v1/admin/problems/${id}/toggle-visibility`)
    expect(await namesOf(id)).toHaveLength(5)
    for (const name of ['sum.py', 'submissions%2Faccepted%2Fsum.py', 'nothing'])
      expect(await fileOf(user, id, name)).toMatchObject({ status: 404 })
  })

  it('is linked in the prompt if the statement is only a PDF', async () => {
    const { 'statement/problem.en.md': _, ...rest } = sum
    const id = await importPackage({ ...rest, 'statement/problem.en.pdf': '%PDF-1.4' })
    const { prompt } = await admin.get(`/v1/problems/${id}`)
    expect(prompt).toBe(`[Sum of Two](/v1/problems/${id}/files/problem.en.pdf)\n`)
  })
})
