import type { Change } from '../../../changes/change.ts'
import { type Viewer, valuesOfViewers } from '../../../db/actor-batch.ts'
import type { Queryable } from '../../../db/database.ts'
import { type EventText, eventText } from './event-text.ts'
import { readQuestionsShown } from './sql.ts'

/** A viewer who may see questions of one event; a user's stream has questions of several. */
interface Asked {
  readonly viewer: Viewer
  readonly eventId: number
}

/** The changes of questions, and of notifications about them. */
export function questionsIn(changes: readonly Change[]): readonly Change[] {
  return changes.filter(
    ({ kind, eventId, objectId }) =>
      (kind === 'question' || kind === 'notification') && eventId !== null && objectId !== null,
  )
}

/** Events of questions and notifications for each viewer who may see them (P20, P21). */
export async function readQuestionTexts(
  database: Queryable,
  viewers: readonly Viewer[],
  questions: readonly Change[],
): Promise<ReadonlyMap<Viewer, readonly EventText[]>> {
  const asked = viewers.flatMap((viewer) =>
    eventsFor(viewer, questions).map((eventId) => ({ viewer, eventId })),
  )
  const texts = new Map<Viewer, EventText[]>()
  if (asked.length === 0) return texts
  const rows = await database.query(readQuestionsShown, {
    ...valuesOfViewers(asked.map(({ viewer, eventId }) => ({ ...viewer, eventId }))),
    question_ids: [...new Set(questions.map(({ objectId }) => objectId))],
  })
  for (const row of rows) {
    const found = asked[row.place - 1]
    if (found === undefined || !row.is_found) continue
    const own = texts.get(found.viewer) ?? []
    texts.set(found.viewer, [...own, ...textsOf(found, row, questions)])
  }
  return texts
}

/** The events whose questions may be told to a viewer. */
function eventsFor({ actor, eventId }: Viewer, questions: readonly Change[]): number[] {
  if (actor === null) return []
  const told = questions.filter(({ kind, eventId: of, userIds }) =>
    eventId === null ? kind === 'notification' && (userIds?.includes(actor) ?? false) : of === eventId,
  )
  return [...new Set(told.flatMap(({ eventId: of }) => of ?? []))]
}

function textsOf(
  { viewer, eventId }: Asked,
  row: { readonly question_id: string; readonly is_announcement: boolean; readonly notifies: boolean },
  questions: readonly Change[],
): EventText[] {
  const { question_id } = row
  const named = JSON.stringify({ event_id: eventId, question_id })
  const changes = questions.filter(({ objectId }) => objectId === question_id)
  const isAsked = viewer.eventId !== null && changes.some(({ kind }) => kind === 'question')
  const isNotified = changes.some(
    ({ kind, userIds }) =>
      kind === 'notification' && viewer.actor !== null && (userIds?.includes(viewer.actor) ?? false),
  )
  return [
    ...(isAsked ? [eventText(row.is_announcement ? 'announcement' : 'question', named)] : []),
    ...(isNotified && row.notifies ? [eventText('notification', named)] : []),
  ]
}
