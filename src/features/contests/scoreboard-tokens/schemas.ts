import Type from 'typebox'
import type { Config } from '../../../config/config.ts'
import {
  Instant,
  IntegerId,
  Name,
  Nullable,
  OptionalBody,
  ResponseObject,
  Uuid,
} from '../../../http/routing/schema.ts'
import { CONTEST_STATES } from '../../shared/access/contest-times.ts'
import { clockFields } from '../events/clock-schemas.ts'

export const scoreboardTokenCreation = ({ nameCharacters }: Config['sizes']) =>
  OptionalBody(
    {
      label: Nullable(
        Name({ maxLength: nameCharacters, description: 'Where the token is used, for example a room.' }),
      ),
    },
    { title: 'ScoreboardTokenBody' },
  )

const token = {
  id: Uuid(),
  event_id: IntegerId(),
  label: Type.Optional(Type.String()),
  created_by: Uuid({ description: 'The user who created it.' }),
  created_at: Instant(),
}

export const ScoreboardTokenResponse = ResponseObject(token, { title: 'ScoreboardToken' })

export const ScoreboardTokenCreatedResponse = ResponseObject(
  { ...token, token: Type.String({ description: 'Only this response has it.' }) },
  { title: 'CreatedScoreboardToken' },
)

export const ScoreboardClockResponse = ResponseObject(
  {
    ...clockFields,
    title: Type.String(),
    teams: Type.Boolean({ description: 'True: the standings can rank teams.' }),
    state: Type.Enum([...CONTEST_STATES]),
  },
  { title: 'ScoreboardClock' },
)
