import type { ActorStatement } from './actor-statement.ts'
import { withPlace } from './batch-form.ts'
import { compile, type NoParams, type Params, type Row, type Statement, type Values } from './statement.ts'

/** One actor for each element: the arrays have the same length. */
const viewerParams = {
  actors: 'uuid[]',
  actor_roles: 'integer[]',
  actor_sessions: 'integer[]',
  event_ids: 'integer[]',
} as const

/** An actor who looks at an event, or at none. */
export interface Viewer {
  readonly actor: string | null
  readonly actorRole: number
  readonly actorSession: number | null
  readonly eventId: number | null
}

/** A row for the viewer at `place`, from 1. `is_found` as in an actor statement. */
type ViewerRow<R extends Row> = R & { place: number; is_found: boolean | null }

/** A statement for many viewers, with the parameters `P` that they share. */
export type ViewerStatement<R extends Row, P extends Params = NoParams> = Statement<
  ViewerRow<R>,
  Values<typeof viewerParams & P>
>

/** The parameters that differ between viewers. */
const OF_VIEWER = /(?<![:\w]):(actor|actor_role|actor_session|event_id)\b/g

/**
 * Makes an actor statement for many viewers in one round trip: the same SQL, with each viewer's
 * values in place of `:actor` and `:event_id`. So a rule has one text only. As in `batchForm`, the
 * plan does not depend on the length of the arrays, and is kept.
 */
export function forViewers<R extends Row, V, P extends Params = NoParams>(
  one: ActorStatement<R, V>,
  shared?: P,
): ViewerStatement<R, P> {
  return compile<ViewerRow<R>, Values<typeof viewerParams & P>>({
    name: `${one.name}_of_viewers`,
    params: Object.assign({}, viewerParams, shared),
    columns: withPlace(one.columns),
    sql: `
      select viewers.place::integer as place, results.*
      from unnest((select :actors), (select :actor_roles), (select :actor_sessions), (select :event_ids))
        with ordinality as viewers (actor, actor_role, actor_session, event_id, place)
      cross join lateral (${sqlOf(one).replaceAll(OF_VIEWER, 'viewers.$1')}) as results`,
  })
}

/** The values of a statement of `forViewers`. */
export function valuesOfViewers(viewers: readonly Viewer[]): Values<typeof viewerParams> {
  return {
    actors: viewers.map(({ actor }) => actor),
    actor_roles: viewers.map(({ actorRole }) => actorRole),
    actor_sessions: viewers.map(({ actorSession }) => actorSession),
    event_ids: viewers.map(({ eventId }) => eventId),
  }
}

/** The SQL of a statement with its parameters by name: a part of another statement. */
function sqlOf<R extends Row, V>({ text, order = [] }: Statement<R, V>): string {
  return text.replaceAll(/\$(\d+)::\w+(?:\[\])?/g, (_, number) => `:${order[Number(number) - 1]}`)
}
