import { seesLive } from '../../shared/access/events.ts'

/** SQL condition: the actor sees the submission `stored` as pending (P23). */
export const IS_FROZEN = `(coalesce(events.freeze_time <= stored.submit_time, false) and events.thawed_at is null
        and not ${seesLive('events')} and not coalesce((
          select true
          from event_reveals
          where event_reveals.event_id = stored.event_id and event_reveals.user_id = stored.user_id
            and event_reveals.problem_id = stored.problem_id), false))`

const stored = (...columns: string[]) => columns.map((column) => `stored.${column}`).join(', ')

/** The columns of `stored` in lists. A frozen submission's verdict is as before judging. */
export const shownVerdict = `${stored('id', 'user_id', 'problem_id', 'language_id', 'event_id', 'source_code', 'submit_time')},
        case when masked.is_frozen then 'PENDING' else stored.status end as status,
        case when masked.is_frozen then 0 else stored.time_elapsed end as time_elapsed,
        case when masked.is_frozen then '' else stored.stdout end as stdout,
        case when masked.is_frozen then '' else stored.stderr end as stderr,
        case when not masked.is_frozen then stored.failed_test_case_id end as failed_test_case_id,
        case when not masked.is_frozen then stored.memory_used end as memory_used,
        case when not masked.is_frozen then stored.score end as score`
