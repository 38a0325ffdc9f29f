import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { MOST_USERS } from '../../../src/features/people/user-imports/schemas.ts'
import { openTestApp } from '../../support/app.ts'
import { readTables } from '../../support/database-contents.ts'
import { NO_PROBLEM } from '../../support/ids.ts'
import { invalid, invalidField, notFound, refusal } from '../../support/refusals.ts'
import { type ImportedUser, importsOf, importUrl, type SentUser } from '../../support/user-imports.ts'

const MEBIBYTE = 1024 * 1024

const service = await openTestApp({ PASSWORD_MIN_LENGTH: '8' })
const admin = await service.createPerson({ admin: true })

const imports = importsOf(service, admin)
const { importUsers, importCsv, logIn, newUser, createEvent, participantsOf, teamsOf } = imports

const countUsers = async () => (await service.database.query(unprepared('select from users'))).length

describe('an import of users', () => {
  it('creates accounts, and returns once the readable passwords that it generated', async () => {
    const [plain, own] = [newUser(), newUser({ password: 'a password of mine' })]
    const response = await admin.send('POST', importUrl(''), { users: [plain, own] })
    expect(response).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/)
    const password = expect.stringMatching(/^[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){3}$/)
    expect(response.body.users).toEqual([
      { email: plain.email, id, outcome: 'created', password },
      { email: own.email, id, outcome: 'created' },
    ])
    const [first, second] = response.body.users
    const session = await logIn(plain.email, first.password)
    expect(session).toMatchObject({ id: first.id, name: plain.name, image: '' })
    expect(await logIn(own.email, 'a password of mine')).toMatchObject({ id: second.id })
    expect((await admin.get(`/v1/users/${first.id}`)).is_admin).toBe(false)
  })

  it('can be repeated: an account is found by its e-mail in any spelling, and stays as it is until it is deleted', async () => {
    const user = newUser()
    const [created] = await importUsers([user])
    const email = ` ${user.email.toUpperCase()} `
    const again = { name: 'Another Name', email, password: 'another password' }
    const before = await readTables(service.database)
    const exists = { email: email.trim(), id: created?.id, outcome: 'exists' }
    for (const query of ['', 'partial=true']) expect(await importUsers([again], query)).toEqual([exists])
    expect(await readTables(service.database)).toEqual(before)
    expect(await logIn(user.email, created?.password)).toMatchObject({ name: user.name })
    await logIn(user.email, again.password, 401)
    await admin.delete(`/v1/users/${created?.id}`)
    const [next] = await importUsers([user])
    expect(next?.outcome).toBe('created')
    expect(next?.id).not.toBe(created?.id)
  })

  it('makes admins of ADMIN_EMAILS only (D12)', async () => {
    const [root, user] = await importUsers([newUser({ email: 'ROOT@example.org' }), newUser()])
    const roleOf = async ({ email, password }: Pick<ImportedUser, 'email' | 'password'> = { email: '' }) =>
      decodeJwt((await logIn(email, password)).token).role
    expect([await roleOf(root), await roleOf(user)]).toEqual([2, 0])
  })

  it('keeps the order of the request, in the response and in the list of users', async () => {
    const users = Array.from({ length: 5 }, () => newUser({ password: 'the same password' }))
    const emails = users.map(({ email }) => email)
    expect((await importUsers(users)).map(({ email }) => email)).toEqual(emails)
    const listed: string[] = (await admin.get('/v1/users')).map(({ email }: SentUser) => email)
    expect(listed.filter((email) => emails.includes(email))).toEqual(emails)
  })

  it('generates passwords that are never shorter than PASSWORD_MIN_LENGTH', async () => {
    const strict = await openTestApp({ PASSWORD_MIN_LENGTH: '1024' })
    const caller = await strict.createPerson({ admin: true })
    const { users } = await caller.post(importUrl(''), { users: [newUser()] })
    expect(users[0].password).toHaveLength(1024)
    await strict.anonymous.post('/v1/basic_login', users[0], 200)
  })
})

describe('a user that cannot be imported', () => {
  const faults: [Partial<SentUser>, RegExp][] = [
    [{ name: ' ' }, /^name must not be empty$/],
    [{ name: 'a\u202Eb' }, /^name must not contain U\+202E/],
    [{ name: 'deleted user' }, /^name must not be "Deleted user"/],
    [{ name: 'a'.repeat(256) }, /^name must have at most 255 characters$/],
    [{ email: 'nowhere' }, /^email must be an e-mail address$/],
    [{ email: `${'a'.repeat(250)}@a.org` }, /^email must have at most 255 characters$/],
    [{ password: 'short' }, /^password must have at least 8 characters$/],
    [{ password: 'a'.repeat(1025) }, /^password must have at most 1024 characters$/],
    [{ team: ' ' }, /^team must not be empty$/],
    [{ team: 'a\u200Bb' }, /^team must not contain U\+200B/],
    [{ team: 'Deleted user' }, /^team must not be "Deleted user"/],
    [{ team: 'a'.repeat(256) }, /^team must have at most 255 characters$/],
  ]

  it('is refused by the rules of other accounts (D7, D8, D11); partial imports store the others', async () => {
    const event = await createEvent()
    const right = newUser()
    const users = [right, ...faults.map(([fields]) => newUser(fields))]
    const before = await countUsers()
    const all = await admin.post(importUrl(`event_id=${event}`), { users }, invalid)
    const email = users[1]?.email
    expect(all.error).toMatch(`No user was imported: user 2 (${email}): name must not be empty; user 3 (`)
    expect(all.error).toMatch(/; and 7 more$/)
    expect(await countUsers()).toBe(before)
    const [first, ...refused] = await importUsers(users, `event_id=${event}&partial=true`)
    expect(first).toMatchObject({ outcome: 'created' })
    expect(refused.map(({ email, outcome }) => [email, outcome])).toEqual(
      users.slice(1).map((one) => [one.email, 'refused']),
    )
    for (const [i, [, error]] of faults.entries()) expect(refused[i]?.error).toMatch(error)
    expect(await countUsers()).toBe(before + 1)
    expect(await participantsOf(event)).toEqual([right.email])
  })

  it('is refused for the e-mail or the name of an earlier user, and for the name of an account', async () => {
    const [user, taken] = [newUser(), await service.createPerson()]
    const users = [
      user,
      { ...newUser(), email: user.email.toUpperCase() },
      { ...newUser(), name: `\uFF29${user.name.slice(1).toUpperCase()}` },
      { ...newUser(), name: taken.name.toUpperCase() },
      { name: 'Any Name', email: taken.email },
      { ...newUser(), name: 'Any Name' },
    ]
    await importUsers(users, '', refusal(400, '400', expect.stringMatching(/user 2 .*; user 3 .*; user 4 /)))
    expect((await importUsers(users, 'partial=true')).map(({ outcome, error }) => error ?? outcome)).toEqual([
      'created',
      'this address occurs earlier in the request: send each user once',
      'this name occurs earlier in the request: choose another name',
      'another account has this name: choose another name',
      'exists',
      'created',
    ])
    expect((await admin.get(`/v1/users/${taken.id}`)).name).toBe(taken.name)
  })

  it('makes the whole request invalid if its fields are missing, malformed or of another type, or if there are too many', async () => {
    const user = newUser()
    for (const query of ['', 'partial=true']) {
      const post = (users: unknown) => admin.post(importUrl(query), { users }, invalidField('users'))
      for (const field of ['name', 'email', 'password', 'team'])
        for (const text of ['a\0@b', 'a\uD800@b']) await post([user, { ...user, [field]: text }])
      for (const users of [[], [{ ...user, name: 1 }], [{ name: 'x' }], [null], 'x', undefined])
        await post(users)
      await post(Array.from({ length: MOST_USERS + 1 }, () => user))
    }
    await admin.post(importUrl('partial=yes'), { users: [user] }, invalidField('partial'))
    await admin.post(importUrl('event_id=x'), { users: [user] }, invalidField('event_id'))
    const tooLarge = refusal(413, 'PAYLOAD_TOO_LARGE', expect.stringMatching(/fewer users/))
    await admin.post(importUrl(''), { users: [{ ...user, image: 'x'.repeat(2 ** 20) }] }, tooLarge)
  })
})

describe('an import into an event', () => {
  it('lets all take part, also accounts that exist, creates teams and joins those that exist, and is repeated without an error', async () => {
    const [event, captain] = [await createEvent(), await service.createPerson()]
    await captain.post(`/v1/events/${event}/teams`, { name: 'Owls' })
    const participant = await service.createPerson()
    await participant.post(`/v1/public/events/${event}/register`)
    const users = [
      newUser({ team: ' owls ' }),
      newUser({ team: 'Bats' }),
      newUser({ team: 'BATS' }),
      newUser({ team: null }),
      { name: 'x', email: participant.email, team: 'Owls' },
      { name: 'x', email: captain.email, team: '\uFF2FWL\u200DS' },
      { name: 'x', email: (await service.createPerson()).email },
    ]
    const teams = async () =>
      Object.entries(await teamsOf(event)).map(([name, members]) => [name, members.toSorted()])
    const emails = users.map(({ email }) => email)
    const expected = [
      ['Owls', [emails[0], emails[4], emails[5]].toSorted()],
      ['Bats', [emails[1], emails[2]].toSorted()],
    ]
    for (const _ of [1, 2]) {
      await importUsers(users, `event_id=${event}`)
      expect(await teams()).toEqual(expected)
      expect((await participantsOf(event)).toSorted()).toEqual(emails.toSorted())
    }
  })

  it('refuses users of another team, and teams of an event without teams', async () => {
    const [event, single] = [await createEvent(), await createEvent(false)]
    const captain = await service.createPerson()
    await captain.post(`/v1/events/${event}/teams`, { name: 'Owls' })
    const users = [{ name: 'x', email: captain.email, team: 'Bats' }, newUser({ team: 'Cats' })]
    await importUsers(users, `event_id=${event}`, invalid)
    expect(Object.keys(await teamsOf(event))).toEqual(['Owls'])
    const outcomes = async (id: number) =>
      (await importUsers(users, `event_id=${id}&partial=true`)).map(({ outcome, error }) => error ?? outcome)
    const other = 'the user is already on another team of this event: leave out team'
    expect(await outcomes(event)).toEqual([other, 'created'])
    expect(Object.keys(await teamsOf(event))).toEqual(['Owls', 'Cats'])
    expect(await outcomes(single)).toEqual(Array(2).fill('the event has no teams: leave out team'))
    expect(await participantsOf(single)).toEqual([])
  })

  it('refuses users whom staff has removed, and says which route adds them again', async () => {
    const [event, person] = [await createEvent(), await service.createPerson()]
    const path = `/v1/events/${event}/participants/${person.id}`
    await admin.put(path, { hidden: false })
    await admin.delete(path)
    const users = [{ name: 'x', email: person.email }]
    const [refused] = await importUsers(users, `event_id=${event}&partial=true`)
    const error = expect.stringContaining(`…/participants/${person.id}`)
    expect(refused).toMatchObject({ outcome: 'refused', error })
    expect(await participantsOf(event)).toEqual([])
    await admin.put(path, { hidden: false })
    const [added] = await importUsers(users, `event_id=${event}`)
    expect(added).toMatchObject({ outcome: 'exists', id: person.id })
  })

  it('does not exist (404), or is missing for a team (400): nothing is stored', async () => {
    const before = await countUsers()
    for (const query of [`event_id=${NO_PROBLEM}`, `event_id=${NO_PROBLEM}&partial=true`])
      await importUsers([newUser()], query, notFound('event'))
    await importUsers([newUser({ name: '' })], `event_id=${NO_PROBLEM}&partial=true`, notFound('event'))
    for (const query of ['', 'partial=true'])
      await importUsers([newUser(), newUser({ team: 'Owls' })], query, invalidField('event_id'))
    expect(await countUsers()).toBe(before)
  })
})

it('keeps no password of an import in the database or in the log, and ignores Idempotency-Key', async () => {
  const own = 'a sent password, seen nowhere'
  const users = [newUser(), newUser({ password: own })]
  const headers = { 'idempotency-key': 'import-1' }
  const send = (body: unknown, query = '') => admin.send('POST', importUrl(query), body, headers)
  const imported: ImportedUser[] = (await send({ users })).body.users
  const [{ password = '' } = { password: undefined }] = imported
  expect(password).not.toBe('')
  const again = await send({ users })
  expect(again.body.users.map(({ outcome }: ImportedUser) => outcome)).toEqual(['exists', 'exists'])
  const short = 'p\u00E4ss'
  await send({ users: [newUser({ password: short })] })
  await importCsv(`name,email,password\nA,"${own}" x,${own}\n`)
  await importCsv(`name,email,password\nA,a@example.org,${own},${own}\n`)
  const stored = [...(await readTables(service.database))].flatMap(([table, rows]) => [table, ...rows])
  expect(stored.length).toBeGreaterThan(40)
  expect(stored.join('\n')).toContain(users[0]?.email)
  const seen = `${stored.join('\n')}\n${service.log.join('\n')}`
  expect(service.log.length).toBeGreaterThan(3)
  for (const text of [password, own, short]) expect(seen).not.toContain(text)
})

describe('a CSV file', () => {
  it('is imported by the rules of JSON, with or without a BOM; empty cells count as absent', async () => {
    const event = await createEvent()
    const rows = [
      '\uFEFFemail,name,team,password\n',
      'csv-1@example.org,"Lovelace, ""Ada""\nCountess",Owls,\n',
      ' csv-2@example.org ,Zoë Ω,, spaces count \n',
    ]
    const query = `event_id=${event}&partial=true`
    const response = await importCsv(rows.join(''), query, 'Text/CSV; charset="UTF-8"')
    // A line break in a name is refused, as in JSON.
    const error = 'name must not contain U+000A; remove invisible, control and direction characters'
    expect(response).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(response.body.users).toMatchObject([
      { email: 'csv-1@example.org', outcome: 'refused', error },
      { email: 'csv-2@example.org', outcome: 'created' },
    ])
    expect(await logIn('csv-2@example.org', ' spaces count ')).toMatchObject({ name: 'Zoë Ω' })
    expect(response.body.users[1]).not.toHaveProperty('password')
    const line = 'csv-1@example.org,"Lovelace, ""Ada""",Owls,\n'
    const again = await importCsv(`email,name,team,password\n${line}`, `event_id=${event}`)
    expect(again.body.users).toMatchObject([{ outcome: 'created', password: expect.any(String) }])
    expect((await admin.get(`/v1/users/${again.body.users[0].id}`)).name).toBe('Lovelace, "Ada"')
    expect(await teamsOf(event)).toEqual({ Owls: ['csv-1@example.org'] })
    expect(again.body).not.toHaveProperty('warnings')
    const other = await importCsv('Seat,name,email,\u202e\n1,Csv 3,csv-3@example.org,\n')
    expect(other.body).toMatchObject({
      users: [{ outcome: 'created' }],
      warnings: ['the columns Seat, \u202e are ignored'],
    })
  })

  it('is refused (400) without its columns, with a column twice, with uneven rows or broken quotes, and in other encodings', async () => {
    const secret = 'a secret cell'
    const wrong: [string | Buffer, RegExp][] = [
      ['email,password\na@example.org,x\n', /column name: it has name, email/],
      ['name;email\nA, B;a@example.org\n', /commas between its columns: it has semicolons$/],
      ['name\temail\nA\ta@example.org\n', /commas between its columns: it has tabs$/],
      ['name\nA\n', /column email/],
      [
        'name,email,Teams\nA,a@example.org,x\n',
        /header has the column Teams: call it team, or leave it out$/,
      ],
      ['name,email,Email\nA,a@example.org,b@example.org\n', /column email once/],
      [`name,email,password\nA,a@example.org,${secret},x\n`, /as many columns as its header at line 2$/],
      [`name,email,password\nA,a@example.org,"${secret}" x\n`, /malformed at line 2$/],
      ['name,email\n', /^users must have at least 1 item$/],
      ['name,email\n,a@example.org\n', /user 1 \(a@example.org\): name must not be empty$/],
      [`name,email\n${'A,a@example.org\n'.repeat(MOST_USERS + 1)}`, /^users must have at most 2000 items$/],
      [Buffer.from('name,email\nZo\u00eb,a@example.org\n', 'latin1'), /UTF-8/],
      [Buffer.from('name,email\nA,a@example.org\n', 'utf16le'), /CSV/],
    ]
    for (const [raw, error] of wrong) {
      const response = await importCsv(raw)
      expect(response, response.text).toMatchObject(refusal(400, '400', expect.stringMatching(error)))
      expect(response.text).not.toContain(secret)
    }
    for (const type of ['text/plain', 'text/csv; charset=latin1', 'text/csvx', 'application/json'])
      expect(await importCsv('name,email\nA,a@example.org\n', '', type)).toMatchObject(invalid)
  })

  it('of the largest body in hostile shapes is refused: its reader is linear', async () => {
    const head = 'name,email\n'
    const fill = (text: string) => text.repeat((MEBIBYTE - 100) / text.length)
    const wide = `name,email${',x'.repeat(MEBIBYTE / 8)}\n`
    const shapes = [`${head}${fill('"')}`, fill(','), `${head}${fill('"",\n')}`, `${head}${fill('\n,')}`]
    for (const raw of [...shapes, `${wide}${wide}${wide}`]) {
      const { status, text } = await importCsv(raw)
      expect([400, 413], text).toContain(status)
    }
  })
})
