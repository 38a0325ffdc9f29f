import { created, type RouteResponse } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import { ReplaceQuery } from '../../shared/records/questions.ts'
import { changeContest } from './change-contest.ts'
import { createCollections } from './collections.ts'
import { objectSchemas } from './schemas.ts'
import { submit } from './submit.ts'
import { writeClarification } from './write-clarification.ts'
import * as schemas from './write-schemas.ts'

const WRITE_POLICY = 'user or Basic'

type Dependencies = Pick<FeatureDependencies, 'config' | 'wakeRelay'>

/** Writing over the Contest API: the start, the thaw, submissions and clarifications (P26). */
export function contestApiWriteRoutes({ config, wakeRelay }: Dependencies) {
  const collections = createCollections(config)
  return [
    defineRoute('changeContest', 'PATCH /v1/clics/contests/:event_id', {
      policy: WRITE_POLICY,
      pool: 'bulk',
      body: schemas.ContestChange,
      responses: { 200: objectSchemas.contest },
      refusals: ['FORBIDDEN', 'ID_MISMATCH'],
      handler: ({ db, params, body }) => changeContest(db, collections.contest, params.event_id, body),
    }),
    defineRoute('createContestSubmission', 'POST /v1/clics/contests/:event_id/submissions', {
      policy: WRITE_POLICY,
      limit: { rate: 'submissions', by: 'user' },
      takesIdempotencyKey: true,
      body: schemas.SubmissionBody,
      responses: { 201: objectSchemas.submissions },
      refusals: ['FORBIDDEN', 'NOT_A_PARTICIPANT', 'EVENT_NOT_ACTIVE'],
      handler: async (submitting) => {
        const item = await submit(submitting, collections, config.sizes.sourceCodeBytes)
        wakeRelay()
        const { id }: { id: string } = JSON.parse(item)
        return createdAt(`contests/${submitting.params.event_id}/submissions/${id}`, item)
      },
    }),
    defineRoute('createClarification', 'POST /v1/clics/contests/:event_id/clarifications', {
      policy: WRITE_POLICY,
      query: ReplaceQuery,
      body: schemas.clarificationBody(config.sizes),
      responses: { 201: objectSchemas.clarifications },
      refusals: ['FORBIDDEN', 'ALREADY_ANSWERED'],
      handler: async ({ db, actor, params: { event_id }, query: { replace = false }, body }) => {
        const { id, item } = await writeClarification(db, actor, { event_id, body, replace, collections })
        return createdAt(`contests/${event_id}/clarifications/${id}`, item)
      },
    }),
  ] as const
}

/** 201 with the address of the new object. */
const createdAt = (path: string, item: string): RouteResponse => ({
  ...created(item),
  headers: { location: `/v1/clics/${path}` },
})
