import { it } from 'vitest'
import { serviceWithContests } from '../support/contests.ts'
import { expectRefused, type Language, submissionBody } from '../support/judging.ts'
import { refusal } from '../support/refusals.ts'

const contests = await serviceWithContests()
const { admin, user, problem, language, service, submit } = contests
const [, other]: [Language, Language] = await service.anonymous.get('/v1/languages')

const createEvent = (fields: object) =>
  contests.createEvent({ problems: [{ problem_id: problem.id }], ...fields })

it('refuses a language that the contest does not name, where it enforces its languages (400)', async () => {
  const languages = [language.id.toUpperCase()]
  const event_id = await createEvent({ languages, enforce_languages: true })
  await submit(user, { event_id })
  const error = `The event does not allow ${other.name}: see its languages`
  await expectRefused(contests, [user, { event_id, language_id: other.id }, refusal(400, '400', error)])
  await submit(user, { language_id: other.id })
  const run = { ...submissionBody(user, problem, other), stdin: '' }
  await user.post('/v1/input_submissions', run, 201)
  await admin.put(`/v1/events/${event_id}`, { enforce_languages: null }, 200)
  await submit(user, { event_id, language_id: other.id })
})

it('refuses no language where the contest does not enforce them', async () => {
  for (const enforce_languages of [false, null])
    await submit(user, { event_id: await createEvent({ languages: [1], enforce_languages }) })
})
