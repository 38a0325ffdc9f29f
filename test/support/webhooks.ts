import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { text } from 'node:stream/consumers'
import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import { ChangeLog } from '../../src/changes/change-log.ts'
import { unprepared } from '../../src/db/statement.ts'
import type { DeliverySources } from '../../src/features/live/webhooks/deliver.ts'
import { createWebhook } from '../../src/features/live/webhooks/sql.ts'
import { Webhooks, type WebhooksOptions } from '../../src/features/live/webhooks/start.ts'
import { ActorDatabase } from '../../src/http/routing/actor.ts'
import { listen } from '../../tools/local-servers/free-ports.ts'
import type { Person, TestApp } from './app.ts'
import { closeLater, once as onlyOnce } from './cleanup.ts'
import { serviceWithContests } from './contests.ts'
import { keepLog } from './queue.ts'
import { until } from './until.ts'

interface ReceivedDelivery {
  readonly headers: IncomingHttpHeaders
  readonly path: string
  readonly contestId: string
  readonly notifications: readonly ReturnType<JSON['parse']>[]
  readonly bytes: number
}

type Respond = (response: ServerResponse, count: number) => void | Promise<void>

/** Starts a server that keeps its deliveries, and ends with the test. `count` starts with 1. */
export async function startReceiver(respond: Respond = (response) => void response.end(), isSecure = false) {
  const received: ReceivedDelivery[] = []
  let connections = 0
  let running = 0
  let mostAtOnce = 0
  const listener: RequestListener = async (request, response) => {
    running += 1
    mostAtOnce = Math.max(mostAtOnce, running)
    response.on('close', () => {
      running -= 1
    })
    const sent = await text(request).catch(() => undefined)
    if (sent === undefined) return
    const { contest_id: contestId, notifications } = JSON.parse(sent)
    const { headers, url: path = '' } = request
    received.push({ headers, path, contestId, notifications, bytes: Buffer.byteLength(sent) })
    await respond(response, received.length)
  }
  const server = isSecure ? createTlsServer(hooksCertificate, listener) : createServer(listener)
  server.on('connection', () => {
    connections += 1
  })
  const port = await listen(server)
  closeLater(async () => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http${isSecure ? 's' : ''}://127.0.0.1:${port}/hook`
  return {
    url,
    port,
    ca: hooksCertificate.cert,
    received,
    connections: () => connections,
    mostAtOnce: () => mostAtOnce,
  }
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

const insertChange = unprepared(`insert into changes (kind, event_id) values ('contest', $1)`)

const selectState = unprepared<WebhookState>(`select webhooks.active, webhooks.last_error, webhooks.failures,
          webhooks.failing_since is not null as is_failing,
          webhooks.last_success_at is not null as has_succeeded,
          webhooks.leased_until > now() as is_leased
   from webhooks where webhooks.id = $1`)

export type WebhookState = {
  active: boolean
  last_error: string | null
  failures: number
  is_failing: boolean
  has_succeeded: boolean
  is_leased: boolean
}

/** Notifications that tests make up, in place of those of the Contest API. */
export class Journal {
  readonly #service: TestApp
  readonly #texts = new Map<number, string[]>()
  reads = 0
  /** Positions are too old to read from. */
  hasForgotten = false

  constructor(service: TestApp) {
    this.#service = service
  }

  /** Adds notifications to a contest, and notes a change of it. */
  async add(eventId: number, ids: readonly string[], type = 'teams', data: unknown = null): Promise<void> {
    const texts = this.#texts.get(eventId) ?? []
    this.#texts.set(eventId, texts)
    texts.push(...ids.map((id) => JSON.stringify({ type, id, data })))
    await this.#service.database.query(insertChange, [eventId])
  }

  readonly readNotifications: DeliverySources['readNotifications'] = async ({ eventId }, from) => {
    this.reads += 1
    const texts = this.#texts.get(eventId) ?? []
    const position = `read-${texts.length}`
    if (this.hasForgotten) {
      const whole = { type: 'teams', id: null, data: [{ id: 'all' }] }
      return { notifications: [{ type: 'teams', text: JSON.stringify(whole) }], position }
    }
    const added = texts.slice(Number(/^read-(\d+)$/.exec(from)?.[1] ?? 0))
    return { notifications: added.map((text) => ({ type: JSON.parse(text).type, text })), position }
  }
}

/** Starts the deliveries of an instance, with a change log of its own; they stop with the test. */
export function startDeliveries(
  { config, database }: TestApp,
  journal: Journal,
  options: Partial<WebhooksOptions> = {},
) {
  const logger = keepLog()
  const changes = new ChangeLog({ database, config, logger })
  const webhooks = new Webhooks({
    ...{ database, logger, changes, readNotifications: journal.readNotifications },
    config: { webhookNetworks: ['127.0.0.0/8'] },
    pauseMs: () => 1,
    ...options,
    times: { tickMs: 5, claimMs: 50, renewMs: 100, roundMs: 1, ...options.times },
  })
  const stop = onlyOnce(async () => {
    await webhooks.stop()
    await changes.stop()
  })
  closeLater(stop)
  return { logger, stop, wake: () => webhooks.wake() }
}

/** Registers a webhook without the route; resolves to its id. */
export async function registerHook(
  { config, database }: TestApp,
  { id: userId }: Pick<Person, 'id'>,
  url: string,
  { endpoints = [], contestIds = [] }: { endpoints?: string[]; contestIds?: number[] } = {},
): Promise<string> {
  const position = await new ChangeLog({ database, config, logger: keepLog() }).readPresent()
  const id = uuidv7()
  const actor = { id: userId, role: 0, sessionVersion: null } as const
  const values = { id, url, token: 'secret-of-the-receiver', endpoints, contest_ids: contestIds, position }
  const [created] = await new ActorDatabase(database, actor).query(createWebhook, { ...values, most: 20 })
  expect(created?.outcome).toBe('created')
  return id
}

/** Reads what the database has of a webhook; undefined if it was deleted. */
export async function readState({ database }: TestApp, id: string): Promise<WebhookState | undefined> {
  const [state] = await database.query(selectState, [id])
  return state
}

/** A service with webhooks, and short ways to wait for them. */
export async function serviceWithWebhooks(variables: Record<string, string> = {}) {
  const judging = await serviceWithContests(variables)
  const { service } = judging
  return {
    ...judging,
    /** A contest of a new user, its staff, and notifications. */
    openContest: async () => {
      const owner = await service.createPerson()
      const eventId = await judging.createEvent({ staff: [owner.id] })
      return { owner, eventId, journal: new Journal(service) }
    },
    untilIds: (receiver: Receiver, ids: readonly string[]) =>
      until(() => expect(idsOf(receiver)).toEqual(ids)),
    untilState: (id: string, state: object) =>
      until(async () => expect(await readState(service, id)).toMatchObject(state)),
  }
}

type ServiceWithWebhooks = Awaited<ReturnType<typeof serviceWithWebhooks>>

/** Opens contests whose owner has a webhook, and starts their deliveries. */
export function hooksOf({ service, openContest, untilIds }: ServiceWithWebhooks) {
  const openHook = async (respond?: Respond, query = '') => {
    const contest = await openContest()
    const receiver = await startReceiver(respond)
    const id = await registerHook(service, contest.owner, `${receiver.url}${query}`)
    return { ...contest, receiver, id }
  }
  type Hook = Pick<Awaited<ReturnType<typeof openHook>>, 'journal' | 'eventId' | 'receiver'>
  return {
    openHook,
    /** Starts the deliveries of a webhook, and waits for the first notification. */
    async deliverFirst({ journal, eventId, receiver }: Hook, options: Partial<WebhooksOptions> = {}) {
      const deliveries = startDeliveries(service, journal, options)
      await journal.add(eventId, ['1'])
      await untilIds(receiver, ['1'])
      return deliveries
    },
  }
}

/** The ids of all notifications that a receiver has got. */
export const idsOf = ({ received }: Receiver): string[] =>
  received.flatMap(({ notifications }) => notifications.map(({ id }) => id))

export const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, i) => String(from + i))

/** A key and a self-signed certificate for hooks.example.org, for tests only; valid until 2120. */
const hooksCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGY0Wp6o8/KWKbuaS
9Ba4ekFcOWD0wFq8LH8IbewvJ1GhRANCAAR9ZQxJCx0yH7DMUqfMHVeyTK3Vc2HF
pYa7SGBaurgNk0SRRJFK9/Tzcm4ZMh/sRK56Opmpdj1xdIp+p2jauFhK
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBeDCCAR+gAwIBAgIBATAKBggqhkjOPQQDAjAcMRowGAYDVQQDDBFob29rcy5l
eGFtcGxlLm9yZzAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowHDEa
MBgGA1UEAwwRaG9va3MuZXhhbXBsZS5vcmcwWTATBgcqhkjOPQIBBggqhkjOPQMB
BwNCAAR9ZQxJCx0yH7DMUqfMHVeyTK3Vc2HFpYa7SGBaurgNk0SRRJFK9/Tzcm4Z
Mh/sRK56Opmpdj1xdIp+p2jauFhKo1AwTjAcBgNVHREEFTATghFob29rcy5leGFt
cGxlLm9yZzAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBQEylmJXwWjR9oIg9LU
X5QzAdgzIjAKBggqhkjOPQQDAgNHADBEAiBztmFOtBbrWWecvmqWs3s7tZUMEMxD
d5nf4ZhZE+iwVgIgK2E5i14gETRZ/FG8a2znIgnwdg3t6/m16Wo0lRApzDU=
-----END CERTIFICATE-----`,
}
