import type { Static } from 'typebox'
import type { EventProblemUpdate } from './schemas.ts'

/** The settings in a body as values for the statements; `settings` names those that were sent. */
export function settingValues(body: Static<typeof EventProblemUpdate>) {
  const { label, color, position, accept_timeout, execution_timeout, memory_limit, hidden } = body
  const limits = { accept_timeout, execution_timeout, memory_limit }
  return { label: label?.trim(), color, position, ...limits, hidden, settings: Object.keys(body) }
}
