import type { Static } from 'typebox'
import type { WebhookResponse } from '../../features/live/webhooks/schemas.ts'
import { practiceLeague } from '../examples/example-world-contest.ts'
import type { SomeOperations } from '../operation-docs.ts'

/** Ada's webhook, before its first delivery. */
export const scoreboardHook: Static<typeof WebhookResponse> = {
  id: '019ba746-e580-7c1f-9d2e-5b3f8a7c6d10',
  url: 'https://scoreboard.example.org/hook',
  endpoints: ['submissions', 'judgements'],
  contest_ids: [String(practiceLeague.id)],
  active: true,
}

const { id: webhook_id, active, ...registered } = scoreboardHook

export const webhookOperations = {
  listWebhooks: {
    summary: 'List the caller’s webhooks',
    description: 'Only their own, the oldest first. Tokens are never shown.',
    example: { response: [scoreboardHook] },
  },
  readWebhook: {
    summary: 'Read a webhook of the caller',
    description: 'With its last success and its last error.',
    example: { params: { webhook_id }, response: scoreboardHook },
  },
  createWebhook: {
    summary: 'Register a webhook',
    description: `For staff of contests. \`contest_ids\` may name contests that the caller manages;
others get 403. If it is empty, the webhook is for all contests that the caller manages at the time of
a delivery. Every delivery checks this right again. A user has at most 20 webhooks; another one gets
403.

The URL must begin with \`https://\` and lead to public addresses only, which every delivery checks
again. The operator may allow other networks, and \`http://\` there.

Changes from now on are sent as \`POST\` requests with the body
\`{"contest_id": "…", "notifications": […]}\` and the header \`Webhook-Token\`: in order, one at a
time, at most 500 notifications or 1 MiB each. They have the form of the event feed's lines, without
\`token\`. Any 2xx within 15 seconds is a success. Other requests are repeated with growing pauses;
redirects are not followed. After an hour of failures the webhook is deactivated. After a gap of more
than the retention of changes whole collections are sent. A request may come twice if the service
stops before it has the response.`,
    example: {
      body: { ...registered, token: 'secret-of-the-receiver' },
      response: scoreboardHook,
    },
  },
  changeWebhook: {
    summary: 'Activate or deactivate a webhook',
    description: 'An active webhook goes on where it stopped, and tries again at once.',
    example: { params: { webhook_id }, body: { active }, response: scoreboardHook },
  },
  deleteWebhook: {
    summary: 'Delete a webhook',
    description: 'Nothing is sent afterwards, except a request that has begun.',
    example: { params: { webhook_id } },
  },
} satisfies SomeOperations
