import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, it, onTestFinished } from 'vitest'
import { running } from '../../../test/support/contests.ts'
import { makeTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { refuseWith, respondBadGateway } from '../../client/test/support/troubled-server.ts'
import { useAdmin } from './support/admin.ts'
import { fails } from './support/command-line.ts'
import { startLossyProxy } from './support/lossy-proxy.ts'

const admin = await useAdmin()
const { run, runJson, logIn } = admin

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
    const { id: event } = await admin.root.post('/v1/events', { title: 'Cup <b>', teams: true, ...running() })
    const { folder, argv, listNew } = await writePeople(
      'name,email,team,password\r\n=Ann,ann@example.org,Red & Blue,\r\n"Ben, Jr",ben@example.org,,=own password\r\n',
    )
    const slips = join(folder, 'slips.html')
    const { exitCode, stdout } = await run([...argv, '--contest', String(event), '--slips', slips])
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
    for (const text of ['Cup &lt;b&gt;', admin.service.url, ann?.password, '=own password', 'Red &amp; Blue'])
      expect(html).toContain(text)
    const found: { name: string }[] = await admin.root.get(`/v1/events/${event}/participants`)
    expect(found.map(({ name }) => name).sort()).toEqual(['=Ann', 'Ben, Jr'])
  })

  it('is for admins only, and imports nobody if one is refused, unless --partial is given', async () => {
    await admin.register('Cleo')
    const { argv, listNew } = await writePeople('name,email\nDora,dora@example.org\nCleo,other@example.org\n')
    expect(await run(argv, await admin.asUser())).toMatchObject(fails(1, /^error: /))
    const refused = fails(1, 'another account has this name')
    expect(await run(argv)).toMatchObject({ ...refused, stdout: '' })
    expect(await listNew()).toEqual([])
    const { exitCode, stdout } = await run([...argv, '--partial'])
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^Cleo +other@example\.org +refused +another account has this name/m)
    expect(stdout).toContain('1 new account, 0 existed, 1 refused.')
    expect(await listNew()).toHaveLength(1)
  })

  it('names the columns that it ignores, and refuses names that resemble its own', async () => {
    const { argv, people } = await writePeople('name,email,extra_minutes\nLea,lea@example.org,30\n')
    const { exitCode, stderr } = await run(argv)
    expect(exitCode).toBe(0)
    expect(stderr).toBe(`warning: ${people}: the column extra_minutes is ignored.\n`)
    await writeFile(people, 'name,email,Teams\nLea,lea@example.org,Red\n')
    expect(await run(argv)).toMatchObject(fails(2, 'the column Teams. Call it team, or leave it out.'))
  })

  it('leaves the files alone that exist already', async () => {
    const { people, folder } = await writePeople('name,email\nEve,eve@example.org\n')
    const files = ['-o', join(folder, 'new.csv'), '--slips', people]
    const stderr = `error: ${people} exists already. Choose another name.\n`
    expect(await run(['users', 'import', people, ...files])).toMatchObject({ exitCode: 2, stderr })
    expect(await readdir(folder)).toEqual(['people.csv'])
  })

  it('writes only the created accounts into the files, and no file if all exist', async () => {
    const { folder, people, argv, listNew } = await writePeople('email;name;hidden\nhugo@example.org;Hugo;\n')
    const { users } = await runJson(argv)
    const hugo = { name: 'Hugo', email: 'hugo@example.org', id: expect.any(String) }
    expect(users).toEqual([{ ...hugo, outcome: 'created' }])
    const files = await listNew()
    expect(files).toHaveLength(1)
    const slips = join(folder, 'slips.html')
    const again = await runJson([...argv, '--slips', slips])
    expect(again).toEqual({ users: [{ ...users[0], outcome: 'exists' }] })
    expect(await listNew()).toEqual(files)
    await writeFile(people, 'name,email\nHugo,hugo@example.org\nIda,ida@example.org\n')
    const { credentials_file } = await runJson([...argv, '--slips', slips])
    const [ida, ...others] = await readCsv(credentials_file)
    expect({ email: ida?.email, others }).toEqual({ email: 'ida@example.org', others: [] })
    expect(await logIn('ida@example.org', ida?.password ?? '')).toBe(200)
    const html = await readFile(slips, 'utf8')
    expect(html).toContain(ida?.password)
    expect(html).not.toContain('hugo@example.org')
    expect((await listNew()).sort()).toEqual([...files, basename(credentials_file), 'slips.html'].sort())
  })

  it('writes the passwords before it sends them; one whose response is lost keeps the passwords of the accounts that it has created', async () => {
    const { folder, people, argv, listNew } = await writePeople('name,email\nFay,fay@example.org\n')
    const proxy = await startLossyProxy(admin.service.url)
    const early: Record<string, string>[] = []
    proxy.beforeWrite(1, async () => {
      const [file = ''] = await listNew()
      early.push(...(await readCsv(join(folder, file))))
    })
    proxy.loseWrite(1, 'after')
    const slips = join(folder, 'slips.html')
    const { exitCode, stderr } = await run([...argv, '--slips', slips, '--url', proxy.url])
    const [file = '', ...others] = await listNew()
    const credentials = join(folder, file)
    expect({ exitCode, others }).toEqual({ exitCode: 3, others: ['slips.html'] })
    expect(stderr).toContain(`Keep ${credentials} and ${slips}, and import ${people} again.`)
    expect(stderr).toContain(`their passwords are in ${credentials}.`)
    expect((await runJson(argv)).users).toMatchObject([{ email: 'fay@example.org', outcome: 'exists' }])
    expect(await listNew()).toEqual([file, 'slips.html'])
    const [fay] = await readCsv(credentials)
    expect(early).toEqual([fay])
    expect(await logIn('fay@example.org', fay?.password ?? '')).toBe(200)
    expect(await readFile(slips, 'utf8')).toContain(fay?.password)
  })

  it('that the service never got is made by the next import, with other passwords', async () => {
    const { folder, argv, listNew } = await writePeople('name,email\nKim,kim@example.org\n')
    const proxy = await startLossyProxy(admin.service.url)
    proxy.loseWrite(1, 'before')
    expect(await run([...argv, '--url', proxy.url])).toMatchObject({ exitCode: 3 })
    const [former = ''] = await listNew()
    const { credentials_file } = await runJson(argv)
    expect(credentials_file).not.toBe(join(folder, former))
    const [kim] = await readCsv(credentials_file)
    expect(await logIn('kim@example.org', kim?.password ?? '')).toBe(200)
    const [old] = await readCsv(join(folder, former))
    expect(await logIn('kim@example.org', old?.password ?? '')).toBe(401)
  })

  it.each([
    ['an error of the service', refuseWith(500, 'INTERNAL'), 1],
    ['an error of a proxy', respondBadGateway, 3],
  ])('keeps the passwords after %s', async (_, trouble, code) => {
    const { argv, listNew } = await writePeople('name,email\nLou,lou@example.org\n')
    const server = await admin.startProxy({ onTestFinished }, trouble)
    const failed = fails(code, 'The accounts may exist all the same. Keep ')
    expect(await run([...argv, '--url', server.url])).toMatchObject(failed)
    expect(await listNew()).toHaveLength(1)
  })
})

describe('a file of people that is faulty', () => {
  const DOUBLE = 'A,ab@example.org\nB,\uff41b@example.org\n'
  it.each([
    ['no line', '', 'is empty.'],
    ['no person', 'name,email\n', 'has no people, only a header.'],
    ['a missing column', 'name,address\nA,a@b\n', 'the column email is missing. The first line must name'],
    ['a column twice', 'name,email,name\nA,a@b,A\n', 'the header has the column name twice.'],
    ['an uneven line', 'name,email\nA,a@b,c\n', ', line 2: has not as many columns as the header.'],
    ['an open quote', 'name,email\nA,"a@b\n', 'Quote'],
    ['another encoding', Buffer.from('name,email\nM\xfcller,a@b\n', 'latin1'), 'Save it as "CSV UTF-8"'],
    ['a team without a contest', 'name,email,team\nA,a@b,Red\n', 'Name their contest with --contest.'],
    ['an address in two forms', `name,email\n${DOUBLE}`, 'line 3: \uff41b@example.org is in line 2 too.'],
    ['too many people', `name,email\n${'A,a@b\n'.repeat(2001)}`, 'has 2001 people, of at most 2000. Split'],
  ])('is refused before the request: %s', async (_, content, message) => {
    const { argv, listNew } = await writePeople(content)
    expect(await run(argv)).toMatchObject(fails(2, message))
    expect(await listNew()).toEqual([])
  })

  it('is refused with all faulty lines', async () => {
    const { argv, people } = await writePeople(
      '\ufeffname;email\nA;a@example.org\n;b@example.org\nC;\nD;d\nE;A@example.org\n',
    )
    const lines = [
      ...[': nothing was imported.', '  line 3: the name is missing.'],
      ...['  line 4: the e-mail address of C is missing.', '  line 5: d is not an e-mail address.'],
      '  line 6: A@example.org is in line 2 too.\n',
    ]
    expect(await run(argv)).toMatchObject({ exitCode: 2, stderr: `error: ${people}${lines.join('\n')}` })
  })
})

describe('a new password', () => {
  const NEW = 'a better horse'

  it.each([
    ['id', ({ id }: { id: string }) => id],
    ['email', () => 'by-email@example.org'],
    ['name', () => 'BY-NAME'],
  ])('is set for the user with this %s', async (key, nameOf) => {
    const name = nameOf(await admin.register(`by-${key}`))
    const set = await run(['users', 'password', name, '--password-stdin'], { stdin: `${NEW}\n` })
    const stdout = `by-${key} (by-${key}@example.org) has a new password.\n`
    expect(set).toMatchObject({ exitCode: 0, stdout })
    expect(await logIn(`by-${key}@example.org`, NEW)).toBe(200)
  })

  it('is generated and printed once, or asked for and not shown', async () => {
    const email = 'generated@example.org'
    await admin.register('generated')
    const { stdout } = await run(['users', 'password', email, '--generate'])
    expect(await logIn(email, /^[a-z0-9-]{19}$/m.exec(stdout)?.[0] ?? '')).toBe(200)
    const document = await runJson(['users', 'password', email, '--generate'])
    expect(await logIn(email, document.password)).toBe(200)
    const terminals = ['stdin', 'stderr'] as const
    const asked = await run(['users', 'password', 'generated'], { terminals, stdin: `${NEW}\r` })
    expect(asked).toMatchObject({ exitCode: 0, stderr: 'New password: \n' })
    expect(await logIn(email, NEW)).toBe(200)
  })

  it.each([
    [['nobody', '--generate'], 1, 'error: No user has the e-mail address or the name nobody.\n'],
    [['x', '--generate', '--password-stdin'], 2, 'error: Give either --password-stdin or --generate.\n'],
  ])('needs a user that exists, and one source: %j', async (argv, exitCode, stderr) => {
    expect(await run(['users', 'password', ...argv])).toMatchObject({ exitCode, stderr })
  })
})
