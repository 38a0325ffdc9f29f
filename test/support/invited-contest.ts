import type { Person } from './app.ts'
import { type ContestService, running } from './contests.ts'

/** Creates a running contest with teams; its staff invites the two participants, who are one team. */
export async function createInvitedContest(
  { service, createProblem, createEvent, problem, submit }: ContestService,
  fields: object = {},
) {
  const { createPerson } = service
  // Neither is an admin or takes part.
  const [owner, manager] = [await createPerson(), await createPerson()]
  const [insider, mate, outsider] = [await createPerson(), await createPerson(), await createPerson()]
  const secret = await createProblem({ public: false, title: 'Secret', identifier: 'secret' })
  const id = await createEvent({
    ...running(),
    ...{ teams: true, user_id: owner.id, staff: [manager.id], admission: 'invited' },
    problems: [{ problem_id: problem.id }, { problem_id: secret.id }],
    ...fields,
  })
  const [url, publicUrl] = [`/v1/events/${id}`, `/v1/public/events/${id}`]
  const invite = (person: Person) => manager.put(`${url}/participants/${person.id}`, { hidden: false }, 200)
  for (const person of [insider, mate]) await invite(person)
  const { team_id: teamId }: { team_id: string } = await insider.post(`${url}/teams`, { name: 'Insiders' })
  await mate.post(`${url}/teams/${teamId}/join`)
  const { id: questionId }: { id: string } = await insider.post(`${url}/questions`, {
    question: 'Who?',
    problem_id: secret.id,
  })
  await mate.put(`${url}/questions/${questionId}/answer`, { answer: 'We.' })
  const submissionId = await submit(insider, { problem_id: secret.id, event_id: id })
  return {
    ...{ id, url, publicUrl, owner, manager, insider, mate, outsider, secret, invite },
    ...{ teamId, questionId, submissionId },
  }
}
