import Type from 'typebox'
import type { Config } from '../../config/config.ts'
import { Answered, Filled, IntegerId, OptionalBody, Uuid } from '../../http/routing/schema.ts'
import { UserAnswer } from '../users/schemas.ts'

export const TeamPath = Type.Object({ event_id: IntegerId(), team_id: Uuid() })

const team = { id: Uuid(), event_id: IntegerId(), name: Type.String() }

export const TeamListedAnswer = Answered(team, { title: 'ListedTeam' })

export const TeamAnswer = Answered({ ...team, members: Type.Array(UserAnswer) }, { title: 'Team' })

export const TeamCreatedAnswer = Answered(
  { message: Type.String(), team_id: Uuid() },
  { title: 'CreatedTeam' },
)

export const teamCreation = ({ nameCharacters }: Config['sizes']) =>
  Type.Object({ name: Filled({ maxLength: nameCharacters }) }, { title: 'TeamBody' })

/** Absent, `{}`, or somebody else's id from an admin (D3, D36); null is as good as none. */
export const JoinBody = OptionalBody(
  {
    user_id: Type.Optional(
      Type.Union([Uuid(), Type.Null()], { description: 'Who joins, where an admin asks; else the caller.' }),
    ),
  },
  { title: 'JoinBody' },
)
