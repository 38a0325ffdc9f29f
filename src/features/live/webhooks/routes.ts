import type { Static } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { created, found, noContent, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import * as schemas from './schemas.ts'
import * as sql from './sql.ts'
import { createTargetRules, type TargetRules } from './target.ts'

/** Who may call the routes: users, who see only their own webhooks (P26). */
const WEBHOOK_POLICY = 'user or Basic'

const WEBHOOKS = '/v1/clics/webhooks'
const WEBHOOK = `${WEBHOOKS}/:webhook_id`

type Dependencies = Pick<FeatureDependencies, 'config' | 'changes' | 'wakeWebhooks'>

/** The webhooks of the Contest API (P26). */
export function webhookRoutes(deps: Dependencies) {
  return [...readingRoutes(), ...writingRoutes(deps)]
}

function readingRoutes() {
  return [
    defineRoute('listWebhooks', `GET ${WEBHOOKS}`, {
      policy: WEBHOOK_POLICY,
      responses: { 200: schemas.WebhooksResponse },
      handler: async ({ db }) => ok(found(await db.query(sql.listWebhooks), 'list').body),
    }),
    defineRoute('readWebhook', `GET ${WEBHOOK}`, {
      policy: WEBHOOK_POLICY,
      responses: { 200: schemas.WebhookResponse },
      handler: async ({ db, params }) => ok(found(await db.query(sql.readWebhook, params), 'webhook').body),
    }),
  ]
}

function writingRoutes({ config, changes, wakeWebhooks }: Dependencies) {
  const rules = createTargetRules(config.webhookNetworks)
  return [
    defineRoute('createWebhook', `POST ${WEBHOOKS}`, {
      policy: WEBHOOK_POLICY,
      body: schemas.WebhookBody,
      responses: { 201: schemas.WebhookResponse },
      refusals: ['FORBIDDEN'],
      handler: async ({ db, body }) => {
        const id = uuidv7()
        // Changes from now on are delivered.
        const position = await changes.readPresent()
        const values = { ...readBody(body, rules), id, position }
        const response = created(await createWebhook(db, values))
        wakeWebhooks()
        return { ...response, headers: { location: `${WEBHOOKS}/${id}` } }
      },
    }),
    defineRoute('changeWebhook', `PATCH ${WEBHOOK}`, {
      policy: WEBHOOK_POLICY,
      body: schemas.WebhookChange,
      responses: { 200: schemas.WebhookResponse },
      handler: async ({ db, params, body }) => {
        const changed = found(await db.query(sql.changeWebhook, { ...params, ...body }), 'webhook')
        wakeWebhooks()
        return ok(changed.body)
      },
    }),
    defineRoute('deleteWebhook', `DELETE ${WEBHOOK}`, {
      policy: WEBHOOK_POLICY,
      responses: { 204: undefined },
      handler: async ({ db, params }) => {
        found(await db.query(sql.deleteWebhook, params), 'webhook')
        return noContent
      },
    }),
  ]
}

type Body = Static<typeof schemas.WebhookBody>

/** Ids of contests are integers as text. */
const CONTEST_ID = /^(0|[1-9]\d{0,9})$/
const LARGEST_ID = 2_147_483_647

/** Throws VALIDATION for a URL that is not allowed, and FORBIDDEN for an id of no contest. */
function readBody({ url, token, endpoints, contest_ids }: Body, rules: TargetRules) {
  const fault = rules.findFault(url)
  if (fault !== undefined) throw new AppError('VALIDATION', `url ${fault}`)
  const ids = contest_ids ?? []
  if (!ids.every((id) => CONTEST_ID.test(id) && Number(id) <= LARGEST_ID)) throw notManaged()
  return { url, token, endpoints: endpoints ?? [], contest_ids: [...new Set(ids.map(Number))] }
}

type Values = ReturnType<typeof readBody> & { readonly id: string; readonly position: string }

/** Each failed try means that a concurrent request has registered a webhook of the same user. */
async function createWebhook(db: ActorDatabase, values: Values): Promise<string> {
  const most = sql.MOST_WEBHOOKS
  for (let tries = 0; tries <= most; tries += 1) {
    const { outcome, body } = found(await db.query(sql.createWebhook, { ...values, most }), 'webhook')
    if (outcome === 'created') return body
    if (outcome === 'not_staff') throw new AppError('FORBIDDEN', 'Only staff of a contest may do this')
    if (outcome === 'not_managed') throw notManaged()
    if (outcome === 'full') break
  }
  throw new AppError('FORBIDDEN', `You have ${most} webhooks already: delete one`)
}

const notManaged = () =>
  new AppError('FORBIDDEN', 'contest_ids must name contests whose staff you are; it may be empty')
