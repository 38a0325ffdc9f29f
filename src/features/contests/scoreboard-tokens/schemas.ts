import Type from 'typebox'
import type { Config } from '../../../config/config.ts'
import {
  Filled,
  Instant,
  IntegerId,
  Nullable,
  OptionalBody,
  ResponseObject,
  Uuid,
} from '../../../http/routing/schema.ts'
import { CONTEST_STATES } from '../../shared/access/contest-times.ts'
import { ExtraTime } from '../events/clock-schemas.ts'

export const scoreboardTokenCreation = ({ nameCharacters }: Config['sizes']) =>
  OptionalBody(
    {
      label: Type.Optional(
        Nullable(
          Filled({ maxLength: nameCharacters, description: 'Where the token is used, for example a room.' }),
        ),
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
    event_id: IntegerId(),
    title: Type.String(),
    teams: Type.Boolean({ description: 'True: the standings can rank teams.' }),
    now: Instant({ description: 'The present time of the service.' }),
    start_time: Instant(),
    freeze_time: Type.Optional(Instant({ description: 'When the standings freeze, if they do.' })),
    end_time: Instant({ description: 'The first instant after the event.' }),
    state: Type.Enum([...CONTEST_STATES]),
    extra_time: ExtraTime,
  },
  { title: 'ScoreboardClock' },
)
