import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import { createContest, over, serviceWithContests } from '../support/contests.ts'
import { unauthorized } from '../support/refusals.ts'
import { storeSubmission } from '../support/standings.ts'

const contests = await serviceWithContests()
const { service, admin, user, problem } = contests
const { anonymous } = service

/** Creates a contest in which a user has solved the problem. */
async function createScored(fields: object): Promise<string> {
  const eventId = await createContest(contests, [{ problem_id: problem.id }], { ...over(), ...fields })
  await admin.put(`/v1/events/${eventId}/participants/${user.id}`, { hidden: false })
  const solution = { user_id: user.id, problem_id: problem.id, minute: 10, status: 'ACCEPTED' }
  await storeSubmission(service, eventId, { ...solution, id: uuidv7() })
  return `/v1/events/${eventId}`
}

describe('the standings without a token (P22)', () => {
  it.each([{}, { admission: 'invited' }])(
    'are the same as with one if the scoreboard is public, as JSON and CSV %j',
    async (fields) => {
      const url = await createScored({ ...fields, scoreboard: 'public' })
      for (const path of ['standings', 'standings.csv']) {
        const { status, text, headers } = await anonymous.send('GET', `${url}/${path}`)
        const { text: withToken } = await user.send('GET', `${url}/${path}`)
        expect({ status, text }).toEqual({ status: 200, text: withToken })
        expect(text).toContain(user.name)
        const again = { 'if-none-match': headers.etag ?? '' }
        expect(await anonymous.send('GET', `${url}/${path}`, undefined, again)).toMatchObject({ status: 304 })
      }
    },
  )

  it.each([{}, { scoreboard: 'users' }, { scoreboard: 'participants' }])(
    'are closed with the rule %j (401), as those of an unknown contest',
    async (fields) => {
      const url = await createScored(fields)
      for (const path of ['standings', 'standings.csv']) {
        await user.get(`${url}/${path}`, 200)
        for (const each of [url, '/v1/events/2147483647'])
          await anonymous.get(`${each}/${path}`, unauthorized)
      }
    },
  )

  it('are closed as soon as the scoreboard is not public any more (401)', async () => {
    const url = await createScored({ scoreboard: 'public' })
    await anonymous.get(`${url}/standings`, 200)
    await admin.put(url, { scoreboard: 'users' })
    for (const path of ['standings', 'standings.csv']) await anonymous.get(`${url}/${path}`, unauthorized)
  })
})
