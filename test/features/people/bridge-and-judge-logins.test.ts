import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { JUDGE_PASSWORD, openTestApp, WEB_BRIDGE_SECRET } from '../../support/app.ts'
import type { Expected } from '../../support/caller.ts'
import { NO_PROBLEM } from '../../support/ids.ts'
import { notFound, refusal, unauthorized } from '../../support/refusals.ts'

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })
const bridge = service.as(WEB_BRIDGE_SECRET)

const BRIDGE = '/v1/create_or_login_user'
const JUDGES = '/v1/login_judge'

const logIn = (profile: unknown, expected: Expected = 200) => bridge.post(BRIDGE, profile, expected)
const read = (id: string) => admin.get(`/v1/users/${id}`)

const profileOf = (id: string) => ({ id: `provider|${id}`, name: `Name ${id}`, email: `${id}@example.org` })

const register = (word: string) =>
  service.anonymous.post('/v1/basic_register', { ...profileOf(word), password: 'a password' }, 201)

describe('a login over the bridge', () => {
  it('creates an account at the first login and finds it at later ones (200) (D12) [POST /v1/create_or_login_user]', async () => {
    const profile = { ...profileOf('first'), image: 'https://example.org/i.png' }
    const [made, found] = [await logIn(profile), await logIn(profile)]
    for (const session of [made, found]) {
      const { token, id } = session
      expect(session).toEqual({ token, id: made.id, name: profile.name, email: profile.email })
      expect(decodeJwt(token)).toMatchObject({ id, role: 0 })
      expect(await service.as(token).get(`/v1/users/${id}`)).toMatchObject({ image: profile.image })
    }
    expect(await read(made.id)).toMatchObject({ is_admin: false })
  })

  it('updates name and e-mail, trimmed, and the image unless none is sent, and keeps only the old name or e-mail if another account uses the new one (D12)', async () => {
    const before = await logIn({ ...profileOf('before'), image: 'before' })
    const sent = { ...profileOf('after'), id: profileOf('before').id, name: ' Name after ' }
    const after = { id: before.id, name: 'Name after', email: 'after@example.org' }
    expect(await logIn(sent)).toMatchObject(after)
    expect(await read(before.id)).toMatchObject({ ...after, image: 'before' })
    for (const image of ['after', '']) {
      await logIn({ ...sent, image })
      expect(await read(before.id)).toMatchObject({ ...after, image })
    }
    const recased = { name: 'NAME AFTER', email: 'AFTER@example.org' }
    expect(await logIn({ ...sent, ...recased })).toMatchObject({ id: before.id, ...recased })
    expect((await logIn({ ...profileOf('before'), id: 'provider|next' })).id).not.toBe(before.id)
    await register('owner')
    const mine = await logIn(profileOf('mine'))
    const { id } = profileOf('mine')
    const named = await logIn({ id, name: 'NAME Owner', email: 'moved@example.org' })
    expect(named).toMatchObject({ name: 'Name mine', email: 'moved@example.org' })
    const moved = { name: 'Name moved', email: 'moved@example.org' }
    expect(await logIn({ id, name: 'Name moved', email: 'OWNER@example.org' })).toMatchObject(moved)
    expect(await read(mine.id)).toMatchObject(moved)
  })

  it('refuses a new account with a name or an e-mail in use, and never links accounts (409) (D12)', async () => {
    const owner = await register('linked')
    const thief = profileOf('thief')
    const emails = [owner.email, owner.email.toUpperCase()].map((email) => ({ email }))
    const names = [owner.name, ` ${owner.name.toUpperCase()}`].map((name) => ({ name }))
    for (const taken of [...emails, ...names])
      await logIn({ ...thief, ...taken }, refusal(409, 'USER_EXISTS'))
    const credentials = { email: owner.email, password: 'a password' }
    const session = await service.anonymous.post('/v1/basic_login', credentials)
    expect(session).toMatchObject({ id: owner.id, name: owner.name })
    expect((await logIn(thief)).id).not.toBe(owner.id)
  })

  it('removes hidden characters from name and e-mail, and makes no admin of such an e-mail (200) (D12)', async () => {
    const email = 'hid\u200B\uFEFFden@ex\u00ADample.org\u2028'
    const sent = { name: '\u202EHid\u200Bden\uFEFF\n Name', email }
    const shown = { name: 'Hidden Name', email: 'hidden@example.org' }
    for (const expected of [shown, shown])
      expect(await logIn({ ...profileOf('hidden'), ...sent })).toMatchObject(expected)
    const root = await logIn({ ...profileOf('root'), email: 'second.\u200Broot@example.org' })
    expect(decodeJwt(root.token)).toMatchObject({ role: 0 })
    await logIn({ ...profileOf('composed'), name: 'Cafe\u0301' })
    await logIn({ ...profileOf('decomposed'), name: 'CAF\u00C9' }, refusal(409, 'USER_EXISTS'))
  })

  it('makes a name of the e-mail if none is left or it is Deleted user, the same at each login (200) (D12)', async () => {
    const deleted = ['Deleted user', 'DELETED\u00A0user', 'Dele\u200Bted user']
    for (const [i, name] of ['\u200B', '\uFEFF', '\u3164\u2060', ...deleted].entries()) {
      const profile = { ...profileOf(`nameless-${i}`), name }
      const first = await logIn(profile)
      const second = await logIn({ ...profile, email: `new.${profile.email}` })
      expect(first.name).toMatch(new RegExp(`^nameless-${i}-[0-9a-f]{12}$`))
      expect(second).toMatchObject({ id: first.id, name: `new.${first.name}` })
    }
    const mine = await logIn({ ...profileOf('twin-1'), name: '\u200B', email: 'twin@example.org' })
    const others = await logIn({ ...profileOf('twin-2'), name: '\u200B', email: 'twin@example.com' })
    expect(mine.name).not.toBe(others.name)
    const nothing = await logIn({ ...profileOf('nothing'), name: '\u200B', email: '\u200B@\u200B' })
    expect(nothing).toMatchObject({ email: expect.stringMatching(/^user-[0-9a-f]{12}@unknown\.invalid$/) })
    expect(nothing.name).toMatch(/^user-[0-9a-f]{12}-[0-9a-f]{12}$/)
    await logIn({ ...profileOf('blank'), name: ' \t' }, 400)
  })

  it('finds the account by the exact id of the provider, and gives its current role, which ADMIN_EMAILS does not raise later', async () => {
    const lower = await logIn(profileOf('case'))
    for (const [i, id] of ['provider|CASE', ' provider|case', 'case', 'other|case'].entries())
      expect((await logIn({ ...profileOf(`case-${i}`), id })).id, id).not.toBe(lower.id)
    expect(await read(lower.id)).toMatchObject({ name: 'Name case' })
    const { id } = await logIn(profileOf('raised'))
    const roleOf = async (fields = {}) =>
      decodeJwt((await logIn({ ...profileOf('raised'), ...fields })).token)
    await admin.put(`/v1/users/${id}`, { is_admin: true })
    expect(await roleOf()).toMatchObject({ id, role: 2 })
    await admin.put(`/v1/users/${id}`, { is_admin: false })
    expect(await roleOf({ email: 'root@example.org' })).toMatchObject({ id, role: 0 })
    expect(await read(id)).toMatchObject({ email: 'root@example.org', is_admin: false })
  })
})

it('simultaneous logins over the bridge create one account for one provider id, and give a name that several accounts want to one of them (200)', async () => {
  for (let round = 0; round < 3; round += 1) {
    const same = await Promise.all(Array.from({ length: 8 }, () => logIn(profileOf(`same-${round}`))))
    expect(new Set(same.map(({ id }) => id)).size).toBe(1)
    const profiles = [1, 2, 3].map((i) => profileOf(`namesake-${round}-${i}`))
    for (const profile of profiles) await logIn(profile)
    const name = `The one ${round}`
    const sessions = await Promise.all(profiles.map((profile) => logIn({ ...profile, name })))
    expect(sessions.filter((session) => session.name === name)).toHaveLength(1)
  }
})

it('a judge’s login returns only a token that reads test cases, with any body (D3) [POST /v1/login_judge]', async () => {
  for (const body of [{}, { raw: '' }, { raw: '{"password"' }, { raw: Buffer.from([0xff]) }]) {
    const request = { method: 'POST', url: JUDGES, token: JUDGE_PASSWORD, ...body } as const
    const { status, body: session } = await service.send(request)
    expect([status, Object.keys(session)]).toEqual([200, ['token']])
    expect(decodeJwt(session.token)).toMatchObject({ role: 1 })
    const url = `/v1/problem_description/${NO_PROBLEM}/tests`
    await service.as(session.token).get(url, notFound('problem'))
  }
})

describe('a secret', () => {
  it('must match exactly (401) [Auth: bridge secret] [Auth: judge password]', async () => {
    const body = { ...profileOf('nobody'), password: JUDGE_PASSWORD }
    for (const [url, secret, other] of [
      [BRIDGE, WEB_BRIDGE_SECRET, JUDGE_PASSWORD],
      [JUDGES, JUDGE_PASSWORD, WEB_BRIDGE_SECRET],
    ] as const) {
      const cut = [secret.slice(0, -1), secret.slice(1)]
      const longer = [`Bearer ${secret}`, `${secret}.`, `${secret} x`]
      for (const wrong of [...cut, ...longer, secret.toUpperCase(), other, service.judgeToken])
        await service.as(wrong).post(url, body, unauthorized)
    }
    const select = `select from users where users.provider_id = 'provider|nobody'`
    expect(await service.database.query(unprepared(select))).toEqual([])
  })

  it('may be sent in UTF-8 and in Latin-1, without its outer white space', async () => {
    const variables = { WEB_BRIDGE_SECRET: ' brücken-geheimnis\n', JUDGE_PASSWORD: '\tпароль судьи' }
    const custom = await openTestApp(variables)
    // Node reads a header's bytes as Latin-1.
    const received = (text: string) => Buffer.from(text, 'utf8').toString('latin1')
    for (const [url, secret, expected] of [
      [BRIDGE, 'brücken-geheimnis', 200],
      [BRIDGE, received('brücken-geheimnis'), 200],
      [BRIDGE, 'brucken-geheimnis', unauthorized],
      [BRIDGE, received('br\ufffdcken-geheimnis'), unauthorized],
      [BRIDGE, 'br\u00c3cken-geheimnis', unauthorized],
      [JUDGES, received('пароль судьи'), 200],
      [JUDGES, received('пароль'), unauthorized],
    ] as const)
      await custom.as(secret).post(url, profileOf('bridged'), expected)
  })
})
