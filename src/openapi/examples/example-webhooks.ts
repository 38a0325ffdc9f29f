import type { Static } from 'typebox'
import type { WebhookResponse } from '../../features/live/webhooks/schemas.ts'
import { practiceLeague } from './example-world-contest.ts'

/** Ada's webhook, before its first delivery. */
export const scoreboardHook: Static<typeof WebhookResponse> = {
  id: '019ba746-e580-7c1f-9d2e-5b3f8a7c6d10',
  url: 'https://scoreboard.example.org/hook',
  endpoints: ['submissions', 'judgements'],
  contest_ids: [String(practiceLeague.id)],
  active: true,
}
