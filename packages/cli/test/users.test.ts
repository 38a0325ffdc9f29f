import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { orThrow } from '@judge-data-layer/client/errors'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { useService } from '../../client/test/support/listening-app.ts'
import { respondBadGateway } from '../../client/test/support/troubled-server.ts'
import { judge, judgeJson } from './support/command-line.ts'

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

  it('says what to do if the response is lost', async (context) => {
    const proxy = await setup.startProxy(context, respondBadGateway)
    const { argv, listNew } = await writePeople('name,email\nFay,fay@example.org\n')
    const { exitCode, stderr } = await judge(argv, { env: { ...env, JUDGE_URL: proxy.url } })
    expect(exitCode).toBe(3)
    expect(stderr).toContain('The accounts may exist.')
    expect(await listNew()).toEqual([])
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

describe('a new password', () => {
  const createUser = async (name: string) => {
    const body = { name, email: `${name}@example.org`, password: 'the first password' }
    return orThrow(setup.service.connect().POST('/v1/basic_register', { body }))
  }

  it.each(['id', 'email', 'name'] as const)('is set for the user with this %s', async (key) => {
    const user = await createUser(`by-${key}`)
    const name = key === 'name' ? user.name.toUpperCase() : user[key]
    const { exitCode, stdout } = await judge(['users', 'password', name, '--password-stdin'], {
      ...{ env, stdin: 'a better horse\n' },
    })
    expect({ exitCode, stdout }).toEqual({
      ...{ exitCode: 0, stdout: `${user.name} (${user.email}) has a new password.\n` },
    })
    expect(await logIn(user.email, 'a better horse')).toBe(200)
  })

  it('is generated and printed once', async () => {
    const user = await createUser('generated')
    const { stdout } = await judge(['users', 'password', user.email, '--generate'], { env })
    const password = /^[a-z0-9-]{19}$/m.exec(stdout)?.[0] ?? ''
    expect(await logIn(user.email, password)).toBe(200)
    const document = await judgeJson(['users', 'password', user.email, '--generate'], { env })
    expect(await logIn(user.email, document.password)).toBe(200)
  })

  it('is asked for, and not shown', async () => {
    const user = await createUser('asked')
    const terminals = ['stdin', 'stderr'] as const
    const asked = await judge(['users', 'password', 'asked'], { env, terminals, stdin: 'a better horse\r' })
    expect(asked).toMatchObject({ exitCode: 0, stderr: 'New password: \n' })
    expect(await logIn(user.email, 'a better horse')).toBe(200)
  })

  it('needs a user that exists, and one source', async () => {
    const unknown = await judge(['users', 'password', 'nobody', '--generate'], { env })
    expect(unknown).toMatchObject({
      exitCode: 1,
      stderr: 'error: No user has the e-mail address or the name nobody.\n',
    })
    const both = await judge(['users', 'password', 'x', '--generate', '--password-stdin'], { env })
    expect(both).toMatchObject({
      ...{ exitCode: 2, stderr: 'error: Give either --password-stdin or --generate.\n' },
    })
  })
})
