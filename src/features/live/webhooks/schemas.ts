import Type from 'typebox'
import { Nullable, ResponseObject, Uuid, Written } from '../../../http/routing/schema.ts'
import { objectSchemas, Time } from '../contest-api/schemas.ts'

/** The types of notifications that a webhook may choose (Contest API, Notification format). */
const ENDPOINTS = [...Object.keys(objectSchemas), 'commentary']

const Endpoints = Type.Array(Type.Enum(ENDPOINTS), {
  maxItems: ENDPOINTS.length,
  uniqueItems: true,
  description: 'Types of the notifications. Empty: all. The service has no `commentary`, and sends none.',
})

const ContestIds = (options: object = {}) =>
  Type.Array(Written({ minLength: 1, maxLength: 36 }), {
    ...options,
    description: 'Empty: every contest that the owner manages at the time of a delivery.',
  })

/** Body of `POST /v1/clics/webhooks`. */
export const WebhookBody = Type.Object(
  {
    url: Written({
      minLength: 1,
      maxLength: 2000,
      description: '`https:` with a public address, without a user and a fragment.',
    }),
    token: Written({
      maxLength: 1000,
      pattern: '^[\\x21-\\x7e]+$',
      'x-wants': 'have visible ASCII characters',
      description: 'Chosen by the client. Deliveries have it in the header `Webhook-Token`.',
    }),
    endpoints: Nullable(Endpoints),
    contest_ids: Nullable(ContestIds({ maxItems: 100 })),
  },
  { title: 'WebhookBody' },
)

/** Body of `PATCH /v1/clics/webhooks/{id}`. */
export const WebhookChange = Type.Object({ active: Type.Boolean() }, { title: 'WebhookChange' })

export const WebhookResponse = ResponseObject(
  {
    id: Uuid(),
    url: Type.String(),
    endpoints: Endpoints,
    contest_ids: ContestIds(),
    active: Type.Boolean({ description: 'False: nothing is delivered.' }),
    last_success: Type.Optional(Time('The last delivery that succeeded.')),
    last_error: Type.Optional(Type.String({ description: 'Why the last failed delivery failed.' })),
    last_error_time: Type.Optional(Time('When it failed.')),
    failing_since: Type.Optional(
      Time('The first failure since the last success. After an hour the webhook is deactivated.'),
    ),
  },
  { title: 'Webhook' },
)

export const WebhooksResponse = Type.Array(WebhookResponse)
