import Type from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../../config/config.ts'
import type { ActorDatabase } from '../../http/routing/actor.ts'
import { AppError } from '../../http/routing/errors.ts'
import { createOnce, type Repeatable } from '../../http/routing/idempotency.ts'
import { found, noContent, ok } from '../../http/routing/responses.ts'
import { defineRoute, type Route, type RouteResponse } from '../../http/routing/route.ts'
import { NoFields } from '../../http/routing/schema.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { runDocs } from '../../openapi/operations/runs.ts'
import {
  anonymousRunCreation,
  RunCreatedResponse,
  RunForJudgesResponse,
  RunPath,
  RunResponse,
  RunVerdictPath,
  runCreation,
  runVerdictBody,
} from './schemas.ts'
import { type Channel, createRun, readRun, storeRunVerdict } from './sql.ts'

interface RunDependencies {
  readonly config: Pick<Config, 'sizes' | 'extraStatuses'>
  readonly metrics: Metrics | undefined
  /** Tells the relay that a message waits, once its row is committed. */
  readonly wakeRelay: () => void
}

/** The specification's Custom-input runs table (D27). */
export function runRoutes(deps: RunDependencies): Route[] {
  return [...userRoutes(deps), ...anonymousRoutes('public', deps), ...anonymousRoutes('bench', deps)]
}

function userRoutes({ config, metrics, wakeRelay }: RunDependencies): Route[] {
  return [
    defineRoute({
      method: 'POST',
      url: '/v1/input_submissions',
      name: 'createRun',
      summary: 'Run a program on an input of one’s own',
      docs: runDocs.createRun,
      policy: 'user',
      limit: { rate: 'runs', by: 'user' },
      bodyLimit: 'body',
      isRepeatable: true,
      schema: {
        params: NoFields,
        query: NoFields,
        body: runCreation(config.sizes),
        answers: { 201: RunCreatedResponse },
        refusals: ['FORBIDDEN', 'NOT_FOUND'],
      },
      handler: async ({ db, actor, body, repeatable }) => {
        const userId = body.user_id ?? (actor.role === 1 ? null : actor.id)
        if (actor.role !== 2 && userId !== null && userId.toLowerCase() !== actor.id) {
          throw new AppError('FORBIDDEN', 'user_id must be the caller’s own')
        }
        const owner = { channel: 'user', caller: actor.id, userId } as const
        return createAndQueue(db, owner, body, repeatable, wakeRelay)
      },
    }),
    defineRoute({
      method: 'GET',
      url: '/v1/input_submissions/:id',
      name: 'readRun',
      summary: 'Poll a run; judges and admins read the program too',
      docs: runDocs.readRun,
      policy: 'user',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: RunPath,
        query: NoFields,
        body: undefined,
        answers: { 200: Type.Union([RunResponse, RunForJudgesResponse]) },
        refusals: ['NOT_FOUND'],
      },
      handler: async ({ db, actor, params }) => {
        const channel = actor.role === 0 ? 'user' : null
        return ok(found(await db.ask(readRun, [params.id, channel]), 'run').body)
      },
    }),
    defineRoute({
      method: 'PATCH',
      url: '/v1/input_submissions/:submission_id',
      name: 'storeRunVerdict',
      summary: 'Store the outcome of a run',
      docs: runDocs.storeRunVerdict,
      policy: 'judge or admin',
      limit: 'none',
      bodyLimit: 'verdict body',
      schema: {
        params: RunVerdictPath,
        query: NoFields,
        body: runVerdictBody(config.extraStatuses),
        answers: { 204: undefined },
        refusals: ['NOT_FOUND'],
      },
      handler: async ({ db, params, body }) => {
        const { status, stdout, stderr, runtime, attempt } = body
        const values = [
          params.submission_id,
          status,
          stdout ?? '',
          stderr ?? '',
          runtime ?? 0,
          attempt ?? null,
        ]
        found(await db.ask(storeRunVerdict, values), 'run')
        metrics?.countVerdict('run', status)
        return noContent
      },
    }),
  ]
}

function anonymousRoutes(channel: 'public' | 'bench', { config, wakeRelay }: RunDependencies): Route[] {
  const [create, read] = anonymousNames[channel]
  return [
    defineRoute({
      method: 'POST',
      url: `/v1/${channel}/input_submissions`,
      name: create,
      summary: `Run a program on an input of one’s own, without an account (${channel})`,
      docs: runDocs[create],
      policy: 'none',
      limit: { rate: 'public runs', by: 'address' },
      bodyLimit: 'body',
      isRepeatable: true,
      schema: {
        params: NoFields,
        query: NoFields,
        body: anonymousRunCreation(config.sizes),
        answers: { 201: RunCreatedResponse },
        refusals: ['NOT_FOUND'],
      },
      handler: ({ db, body, repeatable }) =>
        createAndQueue(db, { channel, caller: channel, userId: null }, body, repeatable, wakeRelay),
    }),
    defineRoute({
      method: 'GET',
      url: `/v1/${channel}/input_submissions/:id`,
      name: read,
      summary: `Poll a run that was made without an account (${channel})`,
      docs: runDocs[read],
      policy: 'none',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: RunPath,
        query: NoFields,
        body: undefined,
        answers: { 200: RunResponse },
        refusals: ['NOT_FOUND'],
      },
      handler: async ({ db, params }) => ok(found(await db.ask(readRun, [params.id, channel]), 'run').body),
    }),
  ]
}

const anonymousNames = {
  public: ['createPublicRun', 'readPublicRun'],
  bench: ['createBenchRun', 'readBenchRun'],
} as const

interface Program {
  readonly language_id: string
  readonly source_code: string
  readonly stdin: string
}

/** Whose run it is; `caller` is who may repeat the request. */
interface Owner {
  readonly channel: Channel
  readonly caller: string
  readonly userId: string | null
}

async function createAndQueue(
  db: ActorDatabase,
  { channel, caller, userId }: Owner,
  { language_id, source_code, stdin }: Program,
  repeatable: Repeatable | undefined,
  wakeRelay: () => void,
): Promise<RouteResponse> {
  const values = [uuidv7(), channel, userId, language_id, source_code, stdin]
  const body = await createOnce(db, caller, repeatable, async (tx) => {
    const { id, has_user } = found(await tx.ask(createRun, values), 'run')
    if (id === null) throw new AppError('NOT_FOUND', `There is no such ${has_user ? 'language' : 'user'}`)
    return id
  })
  wakeRelay()
  return { status: 201, body, type: 'text/plain; charset=utf-8' }
}
