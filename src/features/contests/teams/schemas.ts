import Type from 'typebox'
import type { Config } from '../../../config/config.ts'
import {
  Filled,
  IntegerId,
  Nullable,
  OptionalBody,
  ResponseObject,
  Uuid,
} from '../../../http/routing/schema.ts'
import { UserResponse } from '../../shared/records/users.ts'

const team = { id: Uuid(), event_id: IntegerId(), name: Type.String() }

export const TeamListedResponse = ResponseObject(team, { title: 'ListedTeam' })

export const TeamResponse = ResponseObject({ ...team, members: Type.Array(UserResponse) }, { title: 'Team' })

export const TeamCreatedResponse = ResponseObject(
  { message: Type.String(), team_id: Uuid() },
  { title: 'CreatedTeam' },
)

export const teamCreation = ({ nameCharacters }: Config['sizes']) =>
  Type.Object({ name: Filled({ maxLength: nameCharacters }) }, { title: 'TeamBody' })

/** Absent, `{}`, or the id of another user from an admin (D3, D36). */
export const JoinBody = OptionalBody(
  {
    user_id: Nullable(Uuid(), { description: 'The user who joins, if an admin asks; else the caller.' }),
  },
  { title: 'JoinBody' },
)
