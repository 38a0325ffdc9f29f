import type { Static } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { created, found, noContent, notFound } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import * as schemas from './schemas.ts'
import * as sql from './sql.ts'

type ShadowDependencies = Pick<FeatureDependencies, 'config' | 'wakeRelay'>

/** Judgings apart from submissions, for admins. The judge routes read them and store verdicts. */
export function shadowJudgingRoutes({ config, wakeRelay }: ShadowDependencies) {
  return [
    defineRoute('createShadowJudging', 'POST /v1/admin/shadow_judgings', {
      policy: 'admin',
      body: schemas.shadowJudgingCreation(config.sizes),
      responses: { 201: schemas.ShadowJudgingResponse },
      refusals: ['NOT_FOUND'],
      handler: async ({ db, body }) => {
        const response = created(await createShadow(db, body))
        wakeRelay()
        return response
      },
    }),
    defineRoute('deleteShadowJudging', 'DELETE /v1/admin/shadow_judgings/:shadow_judging_id', {
      policy: 'admin',
      responses: { 204: undefined },
      handler: async ({ db, params }) => {
        found(await db.query(sql.deleteShadowJudging, params), 'shadow judging')
        // The next one may be published.
        wakeRelay()
        return noContent
      },
    }),
  ]
}

type Creation = Static<ReturnType<typeof schemas.shadowJudgingCreation>>

/** The response. Throws VALIDATION unless the body has either a submission or a program. */
async function createShadow(db: ActorDatabase, body: Creation): Promise<string> {
  const { submission_id, problem_id = null, language_id = null, source_code = null } = body
  const program = [problem_id, language_id, source_code]
  if (submission_id && program.every((field) => field === null)) {
    const [shadow] = await db.query(sql.createFromSubmission, { id: uuidv7(), submission_id })
    if (shadow !== undefined) return shadow.body
    throw new AppError('NOT_FOUND', 'There is no such submission, or its problem was deleted')
  }
  if (submission_id || problem_id === null || language_id === null || source_code === null) {
    const needed = 'Either submission_id or all of problem_id, language_id and source_code are required'
    throw new AppError('VALIDATION', needed)
  }
  const values = { id: uuidv7(), problem_id, language_id, source_code }
  const shadow = found(await db.query(sql.createFromProgram, values), 'problem')
  if (shadow.outcome === 'created') return shadow.body
  throw notFound(shadow.outcome === 'no_problem' ? 'problem' : 'language')
}
