import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { orThrow } from '@judge-data-layer/client/errors'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { makeTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { useService } from '../../client/test/support/listening-app.ts'
import {
  respondBadGateway,
  respondWith,
  startTroubledServer,
} from '../../client/test/support/troubled-server.ts'
import { judge, judgeJson } from './support/command-line.ts'
import { startLossyProxy } from './support/lossy-proxy.ts'

const setup = useService()

let env: Record<string, string>
let adminToken: string
beforeAll(async () => {
  const admin = await setup.service.createPerson({ admin: true })
  adminToken = admin.token
  env = { JUDGE_URL: setup.service.url, JUDGE_USER_TOKEN: admin.token }
})

const logIn = async (email: string, password: string): Promise<number> => {
  const { response } = await setup.service.connect().POST('/v1/basic_login', { body: { email, password } })
  return response.status
}

const createContest = async (fields: object = {}): Promise<number> => {
  const times = { start_time: '2020-01-01T00:00:00Z', end_time: '2100-01-01T00:00:00Z' }
  const body = { title: 'Exam', description: 'An exam.', public: true, ...times, ...fields }
  return (await setup.service.as(adminToken).post('/v1/events', body)).id
}

/** A folder with a file of people; the commands write their files there. */
async function writePeople(content: string | Buffer) {
  const folder = await makeTemporaryFolder()
  const people = join(folder, 'people.csv')
  await writeFile(people, content)
  const listNew = async () => (await readdir(folder)).filter((name) => name !== 'people.csv')
  return { folder, people, listNew, argv: ['users', 'import', people, '-o', folder] }
}

const readCsv = async (file: string): Promise<Record<string, string>[]> =>
  parse(await readFile(file, 'utf8'), { bom: true, columns: true })

describe('an import of people', () => {
  it('creates accounts, and saves their passwords in a file and as slips', async () => {
    const event = await createContest({ title: 'Cup <b>', teams: true })
    const { folder, argv, listNew } = await writePeople(
      'name,email,team,password\r\n=Ann,ann@example.org,Red & Blue,\r\n"Ben, Jr",ben@example.org,,=own password\r\n',
    )
    const slips = join(folder, 'slips.html')
    const { exitCode, stdout } = await judge([...argv, '--contest', String(event), '--slips', slips], { env })
    expect(exitCode).toBe(0)
    const [file = '', ...others] = await listNew()
    expect(others).toEqual(['slips.html'])
    expect(file).toMatch(/^credentials-\d{8}-\d{6}\.csv$/)
    for (const name of [file, 'slips.html']) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
    const [ann, ben] = await readCsv(join(folder, file))
    expect([ann, ben]).toMatchObject([
      { name: "'=Ann", email: 'ann@example.org', team: 'Red & Blue' },
      { name: 'Ben, Jr', email: 'ben@example.org', team: '', password: "'=own password" },
    ])
    expect(await logIn('ann@example.org', ann?.password ?? '')).toBe(200)
    expect(await logIn('ben@example.org', '=own password')).toBe(200)
    expect(stdout).not.toContain(ann?.password)
    expect(stdout).toMatch(/^=Ann +ann@example\.org +created$/m)
    expect(stdout).toContain('2 new accounts, 0 existed.')
    expect(stdout).toContain('have an apostrophe in front')
    const html = await readFile(slips, 'utf8')
    for (const text of ['Cup &lt;b&gt;', setup.service.url, ann?.password, '=own password', 'Red &amp; Blue'])
      expect(html).toContain(text)
    const client = setup.service.connect(adminToken)
    const params = { path: { event_id: event } }
    const found = await orThrow(client.GET('/v1/events/{event_id}/participants', { params }))
    expect(found.map(({ name }) => name).sort()).toEqual(['=Ann', 'Ben, Jr'])
  })

  it('writes no file if all accounts exist, and reports them', async () => {
    const { argv, folder, listNew } = await writePeople('email;name\ncleo@example.org;Cleo\n')
    const first = await judgeJson(argv, { env })
    expect(first.users).toEqual([
      { name: 'Cleo', email: 'cleo@example.org', id: expect.any(String), outcome: 'created' },
    ])
    const files = await listNew()
    expect(files).toHaveLength(1)
    const again = await judgeJson([...argv, '--slips', join(folder, 'slips.html')], { env })
    expect(again).toEqual({ users: [{ ...first.users[0], outcome: 'exists' }] })
    expect(await listNew()).toEqual(files)
  })

  it('imports nobody if one is refused, unless --partial is given', async () => {
    const { argv, listNew } = await writePeople('name,email\nDora,dora@example.org\nCleo,other@example.org\n')
    const refused = await judge(argv, { env })
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    expect(refused.stderr).toContain('another account has this name')
    expect(await listNew()).toEqual([])
    const { exitCode, stdout } = await judge([...argv, '--partial'], { env })
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^Cleo +other@example\.org +refused +another account has this name/m)
    expect(stdout).toContain('1 new account, 0 existed, 1 refused.')
    expect(await listNew()).toHaveLength(1)
  })

  it('leaves the files alone that exist already', async () => {
    const { people, folder } = await writePeople('name,email\nEve,eve@example.org\n')
    const files = ['-o', join(folder, 'new.csv'), '--slips', people]
    const { exitCode, stderr } = await judge(['users', 'import', people, ...files], { env })
    expect({ exitCode, stderr }).toEqual({
      ...{ exitCode: 2, stderr: `error: ${people} exists already. Choose another name.\n` },
    })
    expect(await readdir(folder)).toEqual(['people.csv'])
  })

  it('writes only the created accounts into the files', async () => {
    const { folder, people, argv, listNew } = await writePeople('name,email\nHugo,hugo@example.org\n')
    await judge(argv, { env })
    const [first] = await listNew()
    await writeFile(people, 'name,email\nHugo,hugo@example.org\nIda,ida@example.org\n')
    const slips = join(folder, 'slips.html')
    const { credentials_file } = await judgeJson([...argv, '--slips', slips], { env })
    const [ida, ...others] = await readCsv(credentials_file)
    expect({ email: ida?.email, others }).toEqual({ email: 'ida@example.org', others: [] })
    expect(await logIn('ida@example.org', ida?.password ?? '')).toBe(200)
    const html = await readFile(slips, 'utf8')
    expect(html).toContain(ida?.password)
    expect(html).not.toContain('hugo@example.org')
    for (const file of [credentials_file, slips]) expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await listNew()).sort()).toEqual([first, basename(credentials_file), 'slips.html'].sort())
  })

  it('writes the passwords before it sends them', async () => {
    const { folder, argv, listNew } = await writePeople('name,email\nJo,jo@example.org\n')
    const proxy = await startLossyProxy(setup.service.url)
    const early: Record<string, string>[] = []
    proxy.beforeWrite(1, async () => {
      const [file = ''] = await listNew()
      early.push(...(await readCsv(join(folder, file))))
    })
    expect(await judge([...argv, '--url', proxy.url], { env })).toMatchObject({ exitCode: 0 })
    const [file = ''] = await listNew()
    expect(early).toEqual(await readCsv(join(folder, file)))
    expect(await logIn('jo@example.org', early[0]?.password ?? '')).toBe(200)
  })

  it('whose response is lost keeps the passwords of the accounts that it has created', async () => {
    const { folder, people, argv, listNew } = await writePeople('name,email\nFay,fay@example.org\n')
    const proxy = await startLossyProxy(setup.service.url)
    proxy.loseWrite(1, 'after')
    const slips = join(folder, 'slips.html')
    const { exitCode, stderr } = await judge([...argv, '--slips', slips, '--url', proxy.url], { env })
    const [file = '', ...others] = await listNew()
    const credentials = join(folder, file)
    expect({ exitCode, others }).toEqual({ exitCode: 3, others: ['slips.html'] })
    expect(stderr).toContain(`Keep ${credentials} and ${slips}, and import ${people} again.`)
    expect(stderr).toContain(`their passwords are in ${credentials}.`)
    const again = await judgeJson(argv, { env })
    expect(again.users).toMatchObject([{ email: 'fay@example.org', outcome: 'exists' }])
    expect(await listNew()).toEqual([file, 'slips.html'])
    const [fay] = await readCsv(credentials)
    expect(await logIn('fay@example.org', fay?.password ?? '')).toBe(200)
    expect(await readFile(slips, 'utf8')).toContain(fay?.password)
  })

  it('that the service never got is made by the next import, with other passwords', async () => {
    const { folder, argv, listNew } = await writePeople('name,email\nKim,kim@example.org\n')
    const proxy = await startLossyProxy(setup.service.url)
    proxy.loseWrite(1, 'before')
    expect(await judge([...argv, '--url', proxy.url], { env })).toMatchObject({ exitCode: 3 })
    const [former = ''] = await listNew()
    const { credentials_file } = await judgeJson(argv, { env })
    expect(credentials_file).not.toBe(join(folder, former))
    const [kim] = await readCsv(credentials_file)
    expect(await logIn('kim@example.org', kim?.password ?? '')).toBe(200)
    const [old] = await readCsv(join(folder, former))
    expect(await logIn('kim@example.org', old?.password ?? '')).toBe(401)
  })

  const FAILED = respondWith(
    ...([500, { 'content-type': 'application/json' }] as const),
    JSON.stringify({ error: 'Internal', code: 'INTERNAL', message: 'Something failed' }),
  )
  it.each([
    ['an error of the service', FAILED, 1],
    ['an error of a proxy', respondBadGateway, 3],
  ])('keeps the passwords after %s', async (_, trouble, code) => {
    const { argv, listNew } = await writePeople('name,email\nLou,lou@example.org\n')
    const server = await startTroubledServer(setup.service.url, [trouble])
    onTestFinished(() => server.close())
    const { exitCode, stderr } = await judge([...argv, '--url', server.url], { env })
    expect(exitCode).toBe(code)
    expect(stderr).toContain('The accounts may exist all the same. Keep ')
    expect(await listNew()).toHaveLength(1)
  })

  it('is for admins only', async () => {
    const { argv, listNew } = await writePeople('name,email\nGil,gil@example.org\n')
    const { token } = await setup.service.createPerson()
    const { exitCode, stderr } = await judge(argv, { env: { ...env, JUDGE_USER_TOKEN: token } })
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^error: /)
    expect(await listNew()).toEqual([])
  })
})

describe('a file of people that is faulty', () => {
  it.each([
    ['no line', '', 'is empty.'],
    ['no person', 'name,email\n', 'has no people, only a header.'],
    [
      'a missing column',
      'name,mail\nA,a@b\n',
      'the column email is missing. The first line must name the columns',
    ],
    ['a column twice', 'name,email,name\nA,a@b,A\n', 'the header has the column name twice.'],
    ['an uneven line', 'name,email\nA,a@b,c\n', ', line 2: has not as many columns as the header.'],
    ['an open quote', 'name,email\nA,"a@b\n', 'Quote'],
    [
      'another encoding',
      Buffer.from('name,email\nM\xfcller,a@b\n', 'latin1'),
      'is not in UTF-8. Save it as "CSV UTF-8"',
    ],
    [
      'a team without a contest',
      'name,email,team\nA,a@b,Red\n',
      'has teams. Name their contest with --contest.',
    ],
    [
      'an address twice, once in full-width letters',
      'name,email\nA,ab@example.org\nB,\uff41b@example.org\n',
      'line 3: \uff41b@example.org is in line 2 too.',
    ],
    [
      'too many people',
      `name,email\n${'A,a@b\n'.repeat(2001)}`,
      'has 2001 people, of at most 2000. Split the file.',
    ],
  ])('is refused before the request: %s', async (_, content, message) => {
    const { argv, listNew } = await writePeople(content)
    const { exitCode, stderr } = await judge(argv, { env })
    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
    expect(await listNew()).toEqual([])
  })

  it('is refused with all faulty lines', async () => {
    const { argv, people } = await writePeople(
      '\ufeffname,email\r\n"A\nB",a@example.org\r\n,b@example.org\r\n\r\nC,\r\nD,d\r\nE,A@example.org\r\n',
    )
    const { exitCode, stderr } = await judge(argv, { env })
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: `error: ${people}: nothing was imported.
  line 4: the name is missing.
  line 6: the e-mail address of C is missing.
  line 7: d is not an e-mail address.
  line 8: A@example.org is in line 3 too.
`,
    })
  })
})
