import { describe, expect, it } from 'vitest'
import { MOST_USERS } from '../../src/features/user-imports/schemas.ts'
import { openTestApp } from '../support/app.ts'
import { invalid, refusal } from '../support/refusals.ts'
import { importsOf } from '../support/user-imports.ts'

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })
const { importCsv, logIn, createEvent, teamsOf } = importsOf(service, admin)

describe('a CSV file', () => {
  it('is read with a BOM, CRLF, quotes, other columns in any order, and empty cells', async () => {
    const event = await createEvent()
    const rows = [
      '\uFEFF"Email",Group,NAME,team,password\r\n',
      'csv-1@example.org,A,"Lovelace, ""Ada""\nCountess",Owls,\r\n',
      '\r\n,,,,\r\n',
      ' csv-2@example.org ,B,Zoë Ω,, spaces count \r\n',
    ]
    const response = await importCsv(
      rows.join(''),
      `event_id=${event}&partial=true`,
      'Text/CSV; charset="UTF-8"',
    )
    // A line break in a name is refused, as in JSON.
    const error = 'name must not contain U+000A; remove invisible, control and direction characters'
    expect(response).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(response.body.users).toMatchObject([
      { email: 'csv-1@example.org', outcome: 'refused', error },
      { email: 'csv-2@example.org', outcome: 'created' },
    ])
    expect(await logIn('csv-2@example.org', ' spaces count ')).toMatchObject({ name: 'Zoë Ω' })
    expect(response.body.users[1]).not.toHaveProperty('password')
    const line = 'csv-1@example.org,A,"Lovelace, ""Ada""",Owls,\n'
    const again = await importCsv(`email,group,name,team,password\n${line}`, `event_id=${event}`)
    expect(again.body.users).toMatchObject([{ outcome: 'created', password: expect.any(String) }])
    expect((await admin.get(`/v1/users/${again.body.users[0].id}`)).name).toBe('Lovelace, "Ada"')
    expect(await teamsOf(event)).toEqual({ Owls: ['csv-1@example.org'] })
  })

  it('is refused (400) without its columns, with a column twice, with uneven rows or broken quotes, and in other encodings', async () => {
    const secret = 'a secret cell'
    const wrong: [string | Buffer, RegExp][] = [
      ['email,password\na@example.org,x\n', /column name: it has name, email/],
      ['name;email\nA, B;a@example.org\n', /commas between its columns: it has semicolons$/],
      ['name\temail\nA\ta@example.org\n', /commas between its columns: it has tabs$/],
      ['name\nA\n', /column email/],
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
    const types = ['text/plain', 'text/csv; charset=latin1', 'text/csvx', 'application/json']
    for (const type of types)
      expect(await importCsv('name,email\nA,a@example.org\n', '', type)).toMatchObject(invalid)
    const other = await service.send({
      ...{ method: 'POST', url: '/v1/users', token: admin.token, raw: 'name,email\nA,a@example.org\n' },
      headers: { 'content-type': 'text/csv' },
    })
    expect(other).toMatchObject(refusal(400, '400', 'Content-Type must be application/json, in UTF-8'))
  })
})
