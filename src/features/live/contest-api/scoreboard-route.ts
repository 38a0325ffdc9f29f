import Type from 'typebox'
import { AppError } from '../../../http/routing/errors.ts'
import { Written } from '../../../http/routing/schema.ts'
import { defineDocumentRoute } from '../../../lists/list-route.ts'
import { MAIN_GROUP_ID } from './groups-sql.ts'
import { CONTEST_API_POLICY } from './policy.ts'
import { Scoreboard } from './schemas.ts'
import { readScoreboard } from './scoreboard-sql.ts'

const ScoreboardQuery = Type.Object({
  group_id: Type.Optional(Written({ description: `Only \`${MAIN_GROUP_ID}\`, which is the default.` })),
})

/** The standings as a scoreboard of the Contest API. */
export function scoreboardRoute() {
  return defineDocumentRoute('readScoreboard', '/v1/clics/contests/:event_id/scoreboard', {
    policy: CONTEST_API_POLICY,
    query: ScoreboardQuery,
    response: Scoreboard,
    refusals: ['NOT_A_PARTICIPANT'],
    choose: ({ params, query }) => {
      const { group_id = MAIN_GROUP_ID } = query
      if (group_id !== MAIN_GROUP_ID) {
        throw new AppError('VALIDATION', `group_id must be ${MAIN_GROUP_ID}: there is no other group`)
      }
      return { document: readScoreboard, values: params }
    },
  })
}
