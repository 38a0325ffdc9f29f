import type { teamRoutes } from '../../features/teams/routes.ts'
import { nightOwls, participants, practiceLeague } from '../examples/example-world-contest.ts'
import type { Operations } from '../operation-docs.ts'

const event_id = practiceLeague.id
const team = { ...nightOwls, members: participants.map(({ user }) => user) }

export const teamOperations: Operations<ReturnType<typeof teamRoutes>[number]> = {
  listTeams: {
    summary: 'List the teams of an event',
    description:
      'The teams of an event, the oldest first, without their members. An event without teams is 404 `NOT_A_TEAM_EVENT`, here and in the other routes of teams.',
    example: { params: { event_id }, response: [nightOwls] },
  },
  readOwnTeam: {
    summary: 'Read the caller’s own team with its members',
    description:
      'The team that the caller is on in this event, with its members in the order in which they joined the event; 404 `NOT_FOUND` while they are on none.',
    example: { params: { event_id }, response: team },
  },
  readTeam: {
    summary: 'Read a team with its members',
    description: 'Any team of the event, with its members in the order in which they joined the event.',
    example: { params: { event_id, team_id: nightOwls.id }, response: team },
  },
  createTeam: {
    summary: 'Make a team and be its first member',
    description: `The caller makes a team, is its first member, and takes part in the event from now on. A name that another team of the event has, whatever its case, is
409 \`TEAM_NAME_TAKEN\`; whoever is on a team of the event already gets 409 \`ALREADY_ON_TEAM\`. Nobody leaves a team. A judge has no
account to be on one (404).`,
    example: {
      params: { event_id },
      body: { name: 'Early Birds' },
      response: {
        message: 'The team is made, and you are on it',
        team_id: '019ba746-e580-779b-9eca-9aef7b26e3f2',
      },
    },
  },
  joinTeam: {
    summary: 'Join a team; an admin may let another user join',
    description: `Without a body, or with \`{}\` or \`null\`, the caller joins; an admin may name another user (for others 403). Whoever joins takes part in the event from now on. One
team a user and event: a second one, and the same again, is 409 \`ALREADY_ON_TEAM\`. An unknown user, and a judge, who has no account, is 404.`,
    example: {
      params: { event_id, team_id: nightOwls.id },
      body: {},
      response: { message: 'Joined the team' },
    },
  },
}
