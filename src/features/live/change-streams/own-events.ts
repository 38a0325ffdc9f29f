import type { Change } from '../../../changes/change.ts'
import type { Viewer } from '../../../db/actor-batch.ts'
import { type EventText, eventText } from './event-text.ts'

/**
 * The events of changes that need no look at the database: own submissions, notifications that were
 * read, and resets. Each is told once.
 */
export function textsFor(viewer: Viewer, changes: readonly Change[]): EventText[] {
  return [...new Set(changes.flatMap((change) => textOf(viewer, change) ?? []))]
}

function textOf(viewer: Viewer, change: Change): EventText | undefined {
  const { kind, eventId, objectId, userIds, status } = change
  const isOwn = viewer.actor !== null && (userIds?.includes(viewer.actor) ?? false)
  const isOfStream = viewer.eventId === null || viewer.eventId === eventId
  if (isResetFor(viewer, change)) return eventText('reset', '{}')
  if (!isOwn || !isOfStream) return undefined
  if ((kind === 'submission' || kind === 'judging') && status !== null) {
    const submission = { submission_id: objectId, status, ...(eventId !== null && { event_id: eventId }) }
    return eventText('submission', JSON.stringify(submission))
  }
  return kind === 'notification' && objectId === null ? eventText('notification', '{}') : undefined
}

/**
 * The rules of a contest have changed, or a question has become private. Other objects that have
 * disappeared change an entity tag.
 */
function isResetFor(viewer: Viewer, { kind, eventId, isReset }: Change): boolean {
  if (!isReset || (kind !== 'contest' && kind !== 'question')) return false
  return eventId === null || viewer.eventId === eventId
}
