import { expect, it } from 'vitest'
import { statement } from '../../src/db/database.ts'
import { LIST_LIMIT_BYTES } from '../../src/lists/definition.ts'
import { createProblem } from '../features/problems-support.ts'
import { openTestApp } from '../support/app.ts'

const PROGRAM_BYTES = 256 * 1024

const service = await openTestApp()
const user = await service.createPerson()
const problemId = await createProblem(service, await service.createPerson({ admin: true }))
await service.database.query(
  statement(
    'many_programs',
    `insert into submissions (id, user_id, problem_id, language_id, source_code)
       select gen_random_uuid(), $1::uuid, $2::integer, (select languages.id from languages limit 1), repeat('x', $3::integer)
       from generate_series(1, $4::integer)`,
  ),
  [user.id, problemId, PROGRAM_BYTES, LIST_LIMIT_BYTES / PROGRAM_BYTES],
)

it('refuses a list that is too long for one answer, and gives it by page (D6) [Error: 400]', async () => {
  const url = `/v1/user_submissions/${user.id}`
  const whole = await service.send({ method: 'GET', url, token: user.token })
  expect(whole).toMatchObject({
    status: 400,
    body: { code: '400', error: expect.stringMatching(/^limit must/) },
  })
  const page = await service.send({ method: 'GET', url: `${url}?limit=2`, token: user.token })
  expect(page.status).toBe(200)
  expect(page.body).toHaveLength(2)
})
