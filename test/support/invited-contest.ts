import type { Person } from './app.ts'
import { type ContestService, running } from './contests.ts'
import type { Problem } from './judging.ts'

/** A running contest for invited users, with teams and two problems. */
export interface InvitedContest {
  readonly id: number
  readonly url: string
  readonly publicUrl: string
  /** Owns the contest, and is no admin. */
  readonly owner: Person
  /** One of the contest's staff; neither admin nor participant. */
  readonly manager: Person
  /** Two participants, on one team. */
  readonly insider: Person
  readonly mate: Person
  /** Takes no part. */
  readonly outsider: Person
  /** A private problem of the contest, besides the public one. */
  readonly secret: Problem
  readonly teamId: string
  readonly questionId: string
  /** The insider's question and submission to the private problem. */
  readonly submissionId: string
  invite(person: Person): Promise<void>
}

/** Creates the contest; its staff invites the participants. */
export async function createInvitedContest(
  { service, createProblem, createEvent, problem, submit }: ContestService,
  fields: object = {},
): Promise<InvitedContest> {
  const [owner, manager, insider] = await createPeople(service.createPerson)
  const [mate, outsider] = await createPeople(service.createPerson)
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
  const { team_id: teamId } = await insider.post(`${url}/teams`, { name: 'Insiders' })
  await mate.post(`${url}/teams/${teamId}/join`)
  const asked = await insider.post(`${url}/questions`, { question: 'Who?', problem_id: secret.id })
  await mate.put(`${url}/questions/${asked.id}/answer`, { answer: 'We.' })
  const submissionId = await submit(insider, { problem_id: secret.id, event_id: id })
  return {
    ...{ id, url, publicUrl, owner, manager, insider, mate, outsider, secret, invite },
    ...{ teamId, questionId: asked.id, submissionId },
  }
}

async function createPeople(create: () => Promise<Person>): Promise<[Person, Person, Person]> {
  return [await create(), await create(), await create()]
}
