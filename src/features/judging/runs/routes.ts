import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { networkOf } from '../../../http/routing/address.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { createOnce } from '../../../http/routing/idempotency.ts'
import { found, noContent, ok, type RouteResponse } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import { readJudging } from '../submissions/judging.ts'
import { submissionRefusal } from '../submissions/submit-to-event.ts'
import * as schemas from './schemas.ts'
import * as sql from './sql.ts'

type RunDependencies = Pick<FeatureDependencies, 'config' | 'metrics' | 'wakeRelay'>

/** The specification's Custom-input runs table (D27). */
export function runRoutes(deps: RunDependencies) {
  return [
    ...userRoutes(deps),
    ...anonymousRoutes('public', 'createPublicRun', 'readPublicRun', deps),
    ...anonymousRoutes('bench', 'createBenchRun', 'readBenchRun', deps),
  ]
}

function userRoutes({ config, metrics, wakeRelay }: RunDependencies) {
  return [
    defineRoute('createRun', 'POST /v1/input_submissions', {
      policy: 'user',
      limit: { rate: 'runs', by: 'user' },
      takesIdempotencyKey: true,
      body: schemas.runCreation(config.sizes),
      responses: { 201: schemas.RunCreatedResponse },
      refusals: ['FORBIDDEN', 'NOT_FOUND'],
      handler: async ({ db, request, actor, body }) => {
        const user_id = body.user_id ?? (actor.role === 1 ? null : actor.id)
        if (actor.role !== 2 && user_id !== null && user_id !== actor.id) {
          throw new AppError('FORBIDDEN', 'user_id must be the caller’s own')
        }
        const owner_key = user_id === null ? null : `user ${user_id.toLowerCase()}`
        const limit = { owner_key, slots: config.runs.unfinishedPerUser }
        const owner = { channel: 'user', caller: actor.id, user_id, ...limit } as const
        return createAndQueue({ db, request, wakeRelay }, owner, body)
      },
    }),
    defineRoute('readRun', 'GET /v1/input_submissions/:id', {
      policy: 'user',
      params: schemas.RunPath,
      responses: { 200: Type.Union([schemas.RunResponse, schemas.RunForJudgesResponse]) },
      handler: async ({ db, actor, params: { id } }) => {
        const channel = actor.role === 0 ? 'user' : null
        return ok(await readRunOf(db, { id, channel }))
      },
    }),
    defineRoute('storeRunVerdict', 'PATCH /v1/input_submissions/:submission_id', {
      policy: 'judge or admin',
      bodyLimit: 'verdict body',
      body: schemas.runVerdictBody(config.extraStatuses),
      responses: { 204: undefined },
      handler: async ({ db, params, body }) => {
        const rows = await db.query(sql.storeRunVerdict, {
          id: params.submission_id,
          judging: readJudging(body),
          status: body.status,
          stdout: body.stdout ?? '',
          stderr: body.stderr ?? '',
          runtime: body.runtime ?? 0,
        })
        found(rows, 'run')
        metrics?.countVerdict('run', body.status)
        // The next run may be published.
        wakeRelay()
        return noContent
      },
    }),
  ]
}

function anonymousRoutes<const Create extends string, const Read extends string>(
  channel: 'public' | 'bench',
  create: Create,
  read: Read,
  { config, wakeRelay }: RunDependencies,
) {
  return [
    defineRoute(create, `POST /v1/${channel}/input_submissions`, {
      policy: 'none',
      limit: { rate: 'public runs', by: 'address' },
      takesIdempotencyKey: true,
      body: schemas.anonymousRunCreation(config.sizes),
      responses: { 201: schemas.RunCreatedResponse },
      refusals: ['NOT_FOUND'],
      handler: ({ db, request, body }) => {
        const isExempt = request.server.failureLimits.isExempt(request)
        const owner_key = isExempt ? null : `address ${networkOf(request)}`
        const limit = { owner_key, slots: config.runs.unfinishedPerAddress }
        const owner = { channel, caller: channel, user_id: null, ...limit } as const
        return createAndQueue({ db, request, wakeRelay }, owner, body)
      },
    }),
    defineRoute(read, `GET /v1/${channel}/input_submissions/:id`, {
      policy: 'none',
      params: schemas.RunPath,
      responses: { 200: schemas.RunResponse },
      handler: async ({ db, params: { id } }) => ok(await readRunOf(db, { id, channel })),
    }),
  ]
}

async function readRunOf(db: ActorDatabase, wanted: { id: string; channel: sql.Channel | null }) {
  const { body } = found(await db.query(sql.readRun, wanted), 'run')
  return body ?? found(await db.query(sql.readLongRun, wanted), 'run').body
}

interface Creation {
  readonly db: ActorDatabase
  readonly request: FastifyRequest
  readonly wakeRelay: () => void
}

type RunValues = NonNullable<(typeof sql.createRun)['types']>['values']

/** The owner of a run; `caller` is the owner of its `Idempotency-Key`. */
type Owner = Pick<RunValues, 'channel' | 'user_id' | 'owner_key' | 'slots'> & { readonly caller: string }

type Program = Static<ReturnType<typeof schemas.anonymousRunCreation>>

async function createAndQueue(
  { wakeRelay, ...context }: Creation,
  { caller, ...owner }: Owner,
  { language_id, source_code, stdin }: Program,
): Promise<RouteResponse> {
  const id = uuidv7()
  const body = await createOnce(context, caller, async (once, key) => {
    await create(once, { id, ...owner, ...key, language_id, source_code, stdin })
    return id
  })
  wakeRelay()
  return { status: 201, body, type: 'text/plain; charset=utf-8' }
}

/**
 * Stores a run. Throws NOT_FOUND, or RATE_LIMIT_EXCEEDED while the owner has too many unfinished
 * runs. Each failed try means that a concurrent request has stored a run of the same owner.
 */
async function create(db: ActorDatabase, values: RunValues): Promise<void> {
  for (let tries = 0; tries <= values.slots; tries += 1) {
    const { outcome } = found(await db.query(sql.createRun, values), 'run')
    if (outcome === 'created') return
    if (outcome === 'full') break
    if (outcome !== 'taken') throw submissionRefusal(outcome)
  }
  const owner = values.user_id === null ? 'your address' : 'this user'
  const message = `${values.slots} runs of ${owner} are still unfinished; wait until one has finished`
  throw new AppError('RATE_LIMIT_EXCEEDED', message)
}
