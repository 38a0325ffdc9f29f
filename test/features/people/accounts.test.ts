import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { openTestApp, type TestResponse, WEB_BRIDGE_SECRET } from '../../support/app.ts'
import type { Expected } from '../../support/caller.ts'
import { expectSince } from '../../support/moments.ts'
import { invalidField, refusal } from '../../support/refusals.ts'

const service = await openTestApp({
  ADMIN_EMAILS: 'first.admin@example.org, Second.Admin@Example.org ,third.admin@example.org',
})
const admin = await service.createPerson({ admin: true })
const bridge = service.as(WEB_BRIDGE_SECRET)

const PASSWORD = 'correct horse'

const accountOf = (who: string) => ({ name: `Name ${who}`, email: `${who}@example.org`, password: PASSWORD })

const register = (body: unknown, expected: Expected = 201) =>
  service.anonymous.post('/v1/basic_register', body, expected)
const logIn = (email: string, password: string, expected: Expected = 200) =>
  service.anonymous.post('/v1/basic_login', { email, password }, expected)

const taken = refusal(409, 'USER_EXISTS')
const wrongCredentials = refusal(401, 'INVALID_CREDENTIALS', 'Invalid credentials')

describe('registration', () => {
  it('creates an account with trimmed name and e-mail, and returns it with a token (201) (D11) [POST /v1/basic_register]', async () => {
    const fields = { name: 'Ada Lovelace', email: 'ada@example.org', image: 'https://example.org/cat.png' }
    const untrimmed = { name: ' \t Ada Lovelace\n', email: ' ada@example.org ', password: ' six  ' }
    const sentAt = Date.now()
    const { token, id, ...account } = await register({ ...fields, ...untrimmed })
    expect(account).toEqual(fields)
    expect(decodeJwt(token)).toMatchObject({ id, role: 0 })
    const { join_date, ...user } = await service.as(token).get(`/v1/users/${id}`)
    expect(user).toEqual({ id, ...fields, is_admin: false })
    expectSince(sentAt, join_date)
    await logIn(fields.email, untrimmed.password)
    await logIn(fields.email, 'six', wrongCredentials)
  })

  it('refuses a taken name or e-mail, regardless of case and outer spaces (409) [Error: 409]', async () => {
    const first = { name: 'Élodie Ǆ', email: 'ÜSER.Zoë@example.org', password: PASSWORD }
    const free = { name: 'free', email: 'free@example.org', password: PASSWORD }
    await register(first)
    for (const name of ['Élodie Ǆ', 'éLODIE ǆ', '  élodie ǆ\t']) await register({ ...free, name }, taken)
    for (const email of [first.email, 'üser.zoË@EXAMPLE.ORG', ' üser.zoë@example.org\n'])
      await register({ ...free, email }, taken)
    await register(free)
  })

  it('stores name and e-mail in NFC, and refuses another spelling of either by its NFKC form (409) (D11)', async () => {
    const sent = { name: 'Zoe\u0308 Å', email: 'zoe\u0308@example.org', password: PASSWORD }
    const stored = { name: 'Zo\u00EB \u00C5', email: 'zo\u00EB@example.org' }
    expect(await register(sent)).toMatchObject(stored)
    const free = { name: 'spelled', email: 'spelled@example.org', password: PASSWORD }
    for (const name of ['ZO\u00CB \u212B', 'Zoe\u0308\u00A0A\u030A', '\uFF3Ao\u00EB \u00C5'])
      await register({ ...free, name }, taken)
    for (const email of ['ZOE\u0308@example.org', 'zo\u00EB@\uFF45xample.org', 'zo\u00EB@ex\u1D43mple.org'])
      await register({ ...free, email }, taken)
    for (const email of [sent.email, 'ZO\u00CB@example.org', '\uFF5Ao\u00EB@example.org'])
      expect(await logIn(email, PASSWORD)).toMatchObject(stored)
    await register(free)
  })

  it('refuses invisible, control and direction characters in names and e-mails, and names the first (400) (D11)', async () => {
    const codes =
      '1 9 a 7f 85 ad 34f 61c 115f 180e 200b 200e 200f 2028 2029 202a 202e 2060 2066 2069 2800 3164 fe0f feff ' +
      'ffa0 fff9 e0001 e0041 1d173'
    const account = accountOf('visible')
    for (const code of codes.split(' ')) {
      const one = String.fromCodePoint(Number.parseInt(code, 16))
      const hex = code.toUpperCase().padStart(4, '0')
      const message = expect.stringMatching(`^name must not contain U\\+${hex}; remove invisible, control`)
      for (const name of [`Ada${one}Lovelace`, `a${one}\u200B`])
        await register({ ...account, name }, { status: 400, body: { message } })
      await register({ ...account, email: `ad${one}a@example.org` }, invalidField('email'))
    }
    const joined = ['a\u200Db\u200D', '\u200Ca', 'a\u200D\u200Cb', 'a \u200Db', '1\u200D2']
    for (const name of [...joined, '\u{1F469}\u200D\u{1F4BB}'])
      await register({ ...account, name }, invalidField('name'))
    await register(account)
  })

  it('takes joiners between letters, and visible characters of all scripts and planes; joiners make no other name (D11)', async () => {
    const joined = [
      '\u0646\u0627\u0645\u0647\u200C\u0627\u06CC',
      '\u0915\u094D\u200D\u0937',
      '\u0D28\u0D4D\u200D\u0D31',
    ]
    const visible = ['\u05E9\u05DC\u05D5\u05DD', '\u{1F600}', 'e\u0301\u0323', 'a\u00A0b', '\u3000x\u3000y']
    for (const [i, name] of [...joined, ...visible, '\uE000', '\u{10FFFD}'].entries()) {
      const { name: stored } = await register({ ...accountOf(`script${i}`), name })
      expect(stored).toBe(name.normalize('NFC').trim())
    }
    await register({ ...accountOf('joined'), name: 'Viktor J' })
    await register({ ...accountOf('joined2'), name: 'Vik\u200Dtor J' }, taken)
    await register({ ...accountOf('joined3'), email: 'j\u200Coined@example.org' }, taken)
  })

  it('refuses the name of deleted users in any spelling (400) (D11)', async () => {
    const spaced = ['Deleted user', ' deleted USER ', 'Deleted\u00A0user', 'Deleted  user']
    const error = 'name must not be "Deleted user", the name of deleted users; choose another name'
    for (const name of [...spaced, '\uFF24eleted user', 'Dele\u200Cted user'])
      await register({ ...accountOf('deleted'), name }, refusal(400, '400', error))
    for (const name of ['Deleted users', 'DeletedUser'])
      await register({ ...accountOf(`deleted${name.length}`), name })
  })

  it('makes one account of simultaneous registrations with the same name or e-mail (409)', async () => {
    const sameName = (i: number) => ({ ...accountOf(`same${i}`), name: 'Same Name' })
    const sameEmail = (i: number) => ({ ...accountOf(`other${i}`), email: 'Same@Example.org' })
    for (const bodyOf of [sameName, sameEmail]) {
      const requests = [0, 1, 2].map((i) => service.anonymous.send('POST', '/v1/basic_register', bodyOf(i)))
      expect((await Promise.all(requests)).filter(({ status }) => status === 201)).toHaveLength(1)
      await register(bodyOf(3), taken)
    }
  })

  it('takes passwords of 6 to 1024 characters, however many bytes they have (D11), names and e-mails of 255, and null for no image (D8)', async () => {
    for (const [i, password] of ['abcdef', 'ß🐱漢字éф', 'a'.repeat(1024), '🐱'.repeat(1024)].entries()) {
      const account = { ...accountOf(`password${i}`), password }
      await register(account)
      await logIn(account.email, password)
    }
    for (const password of ['', 'abcde', '🐱🐱🐱🐱🐱', 'a'.repeat(1025), '🐱'.repeat(1025)])
      await register({ ...accountOf('refused'), password }, invalidField('password'))
    const longest = { name: '𝒳'.repeat(255), email: `${'漢'.repeat(243)}@example.org` }
    const account = await register({ ...longest, password: PASSWORD, image: null })
    expect(account).toMatchObject({ ...longest, image: '' })
    await register({ ...longest, name: 'other', password: PASSWORD }, taken)
  })

  it('makes accounts with an e-mail in ADMIN_EMAILS admins, however they are created, and none with one that only resembles it (D12) [Auth: admin e-mails]', async () => {
    for (const [i, look] of ['\uFF46irst.admin', 'f\u0131rst.admin', 'first.adm\u0130n'].entries()) {
      const { id, token } = await register({ ...accountOf(`like${i}`), email: `${look}@example.org` })
      expect(decodeJwt(token), look).toMatchObject({ role: 0 })
      // The first of them has the NFKC form of the admin's.
      await service.as(token).delete(`/v1/users/${id}`)
    }
    const profile = { id: 'oauth|2', name: 'Admin 2', email: 'second.admin@example.org' }
    const unmarked = { name: 'Admin 3', email: 'Third.Admin@example.org', is_admin: false }
    const registered = await register({ ...accountOf('one'), email: ' FIRST.admin@example.ORG ' })
    const bridged = await bridge.post('/v1/create_or_login_user', profile)
    for (const { id } of [registered, bridged, await admin.post('/v1/users', unmarked)])
      expect(await admin.get(`/v1/users/${id}`)).toMatchObject({ is_admin: true })
    for (const { token } of [registered, bridged]) {
      expect(decodeJwt(token)).toMatchObject({ role: 2 })
      await service.as(token).get('/v1/users')
    }
  })
})

describe('login', () => {
  it('returns the account with a new token, regardless of the e-mail’s case [POST /v1/basic_login]', async () => {
    const registered = await register({ ...accountOf('member'), image: 'i' })
    const { token, ...account } = await logIn(' MEMBER@Example.org ', PASSWORD)
    expect({ ...account, token: registered.token }).toEqual(registered)
    expect(decodeJwt(token)).toMatchObject({ id: account.id, role: 0 })
  })

  it('responds identically to a wrong password and to an e-mail without an account or password (401) [Auth: wrong password] [Error: 401]', async () => {
    const person = await service.createPerson()
    const gone = await register(accountOf('gone'))
    await service.as(gone.token).delete(`/v1/users/${gone.id}`)
    await register(accountOf('known'))
    const profile = { id: 'oauth|3', name: 'Bridged', email: 'bridged@example.org' }
    await bridge.post('/v1/create_or_login_user', profile)
    const emails = ['unknown@example.org', person.email, profile.email, gone.email, '', 'no address', '%']
    const wrong = ['', 'wrong', PASSWORD.toUpperCase(), ` ${PASSWORD}`, `${PASSWORD} `, 'x'.repeat(99_999)]
    const bodies = [
      ...emails.map((email) => ({ email, password: PASSWORD })),
      ...wrong.map((password) => ({ email: 'known@example.org', password })),
    ]
    const responses: TestResponse[] = []
    for (const body of bodies) responses.push(await service.anonymous.send('POST', '/v1/basic_login', body))
    const error = 'Invalid credentials'
    for (const { status, body, headers } of responses) {
      expect(status).toBe(401)
      expect(body).toEqual({ error, code: 'INVALID_CREDENTIALS', message: error })
      expect(Object.keys(headers)).toEqual(Object.keys(responses[0]?.headers ?? {}))
    }
  })

  it('is refused at once for a long e-mail of combining characters, which take long to normalise (401)', async () => {
    const email = `${'\u0301'.repeat(150_000)}${'\u0323'.repeat(150_000)}@example.org`
    await logIn(email, PASSWORD, wrongCredentials)
    await service.anonymous.post('/v1/basic_request_password_reset', { email })
    await service.anonymous.post('/v1/basic_reset_password', { email, new_password: PASSWORD, token: 'x' })
  })
})

describe('a service with other settings', async () => {
  const strict = await openTestApp({
    BASIC_REGISTRATION_ENABLED: '',
    PASSWORD_MIN_LENGTH: '10',
    ALLOW_INSECURE_PASSWORD_RESET: '1',
    NAME_LIMIT_CHARACTERS: '50',
  })
  const strictAdmin = await strict.createPerson({ admin: true })
  const { anonymous } = strict

  it('refuses registrations without BASIC_REGISTRATION_ENABLED (403), requires PASSWORD_MIN_LENGTH of new passwords, not of logins, and limits names to NAME_LIMIT_CHARACTERS', async () => {
    await anonymous.post('/v1/basic_register', accountOf('nobody'), refusal(403, 'REGISTRATION_DISABLED'))
    await anonymous.post('/v1/basic_login', accountOf('nobody'), wrongCredentials)
    const [short, long] = ['123456789', '1234567890']
    const account = { name: 'Careful', email: 'careful@example.org' }
    const { email } = await strict.createPerson()
    await strictAdmin.post('/v1/users', { ...account, password: short }, invalidField('password'))
    await strictAdmin.post('/v1/users', { ...account, name: 'x'.repeat(51) }, invalidField('name'))
    await strictAdmin.post('/v1/users', { ...account, name: 'x'.repeat(50), password: long })
    const url = '/v1/basic_reset_password'
    await anonymous.post(url, { email, new_password: short }, invalidField('new_password'))
    await anonymous.post(url, { email, new_password: long })
    await anonymous.post('/v1/basic_login', { email, password: '123456' }, wrongCredentials)
  })
})
