import type { Person } from '../support/app.ts'
import { type ContestService, running } from '../support/contests.ts'

/** A contest for invited users, with marks of its own. */
export type InvitedWorld = Awaited<ReturnType<typeof plantInvited>>

/** The marks that only the people of the contest see; staff alone sees the e-mail. */
export const OF_INSIDERS = [
  ...['invitedTeam', 'invitedQuestion', 'invitedAnswer', 'invitedTitle', 'invitedPrompt'],
]

export async function plantInvited(
  { admin, service, createEvent, createProblem, submit }: ContestService,
  plant: (name: string) => string,
) {
  const { anonymous, as, createPerson } = service
  const account = { name: plant('invitedName'), email: `${plant('invitedEmail')}@example.org` }
  const { id, token } = await anonymous.post('/v1/basic_register', { ...account, password: 'of an insider' })
  // Plants the marks: their name, e-mail, team, problem, question and answer.
  const insider: Person = { ...account, id, token, ...as(token) }
  // Both take part in the insider's team; staff removes the other one.
  const [teammate, removed] = [await createPerson(), await createPerson()]
  const texts = { title: plant('invitedTitle'), prompt: plant('invitedPrompt') }
  const problem = await createProblem({ ...texts, public: false })
  const rules = { admission: 'invited', title: 'For invited users', teams: true }
  const eventId = await createEvent({ ...running(), ...rules, problems: [{ problem_id: problem.id }] })
  const url = `/v1/events/${eventId}`
  for (const person of [insider, teammate, removed])
    await admin.post(`${url}/participants`, { user_id: person.id })
  const { team_id: teamId } = await insider.post(`${url}/teams`, { name: plant('invitedTeam') })
  for (const person of [teammate, removed]) await person.post(`${url}/teams/${teamId}/join`)
  const question = { question: plant('invitedQuestion'), problem_id: problem.id }
  const { id: questionId } = await insider.post(`${url}/questions`, question)
  await insider.put(`${url}/questions/${questionId}/answer`, { answer: plant('invitedAnswer') })
  const submissionId = await submit(insider, { problem_id: problem.id, event_id: eventId })
  await admin.delete(`${url}/participants/${removed.id}`)
  return { insider, teammate, removed, problem, eventId, teamId, questionId, submissionId }
}
