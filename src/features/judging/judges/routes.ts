import { noContentFor } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { defineListRoute } from '../../../lists/list-route.ts'
import * as schemas from './schemas.ts'
import * as sql from './sql.ts'

/** Which workers judge, in which languages, and what they judge now. */
export function judgeRoutes() {
  return [
    defineListRoute('listJudges', '/v1/judges', {
      policy: 'admin',
      list: sql.listJudges,
      item: schemas.JudgeResponse,
    }),
    defineRoute('registerJudge', 'PUT /v1/judges/:judge_name', {
      policy: 'judge or admin',
      params: schemas.JudgePath,
      body: schemas.JudgeBody,
      responses: { 204: undefined },
      handler: async ({ db, params: { judge_name: name }, body }) => {
        const { languages, concurrency, version, judging, started, stopped } = body
        const begun = (stopped ? undefined : judging) ?? []
        const rows = await db.query(sql.registerJudge, {
          ...{ name, version: version ?? null, concurrency, connected: !stopped, started: started ?? false },
          languages: JSON.stringify(
            languages.map((language) => ({ name: language.name, version: language.version })),
          ),
          language_names: languages.flatMap(({ name, aliases }) => [name, ...(aliases ?? [])]),
          judging_ids: begun.map(({ id }) => id),
          judging_seconds: begun.map(({ seconds }) => seconds),
        })
        return noContentFor(rows, 'judge')
      },
    }),
  ]
}
