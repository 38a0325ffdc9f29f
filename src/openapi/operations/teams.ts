import { nightOwls, participants } from '../examples/example-world-contest.ts'
import type { SomeOperations } from '../operation-docs.ts'

const team = { ...nightOwls, members: participants.map(({ user }) => user) }

export const teamOperations = {
  listTeams: {
    summary: 'List the teams of an event',
    description: `The teams of an event, the oldest first, without their members. An event without
teams gets 404 \`NOT_A_TEAM_EVENT\`, here and in the other team routes.`,
    example: { response: [nightOwls] },
  },
  readOwnTeam: {
    summary: 'Read the caller’s own team with its members',
    description: `The caller's team in this event, with its members in the order in which they
joined the event. A caller without a team gets 404 \`NOT_FOUND\`.`,
    example: { response: team },
  },
  readTeam: {
    summary: 'Read a team with its members',
    description: 'Any team of the event, with its members in the order in which they joined the event.',
    example: { params: { team_id: nightOwls.id }, response: team },
  },
  createTeam: {
    summary: 'Create a team and become its first member',
    description: `The caller becomes the first member of the new team and takes part in the event. A
name that another team of the event has gets 409 \`TEAM_NAME_TAKEN\`: NFKC forms are compared,
ignoring case. A caller who is on a team of the event already gets 409 \`ALREADY_ON_TEAM\`: members
cannot leave a team. Users who may not take part in the event get 403 \`NOT_A_PARTICIPANT\`. After the
end only staff of the event creates a team; others get 403 \`EVENT_ENDED\`. Judges have no account and
get 404.`,
    example: {
      body: { name: 'Early Birds' },
      response: {
        message: 'The team was created, and you joined it',
        team_id: '019ba746-e580-779b-9eca-9aef7b26e3f2',
      },
    },
  },
  joinTeam: {
    summary: 'Join a team; an admin may let another user join',
    description: `Without a body, or with \`{}\` or \`null\`, the caller joins. Admins may name
another user; others get 403. The new member takes part in the event. A user may be on one team of
an event: a second one, or the same one again, gets 409 \`ALREADY_ON_TEAM\`. Users who may not take
part in the event get 403 \`NOT_A_PARTICIPANT\`. After the end only staff of the event joins a team,
and admins let others join; everybody else gets 403 \`EVENT_ENDED\`. An unknown user gets 404, as does
a judge, who has no account. The team's cells count all submissions of the member, also
earlier ones.`,
    example: {
      params: { team_id: nightOwls.id },
      body: {},
      response: { message: 'Joined the team' },
    },
  },
} satisfies SomeOperations
