/** SQL condition: the actor sees the submission `stored` as pending (P23). */
export const IS_FROZEN = `(coalesce(event.freeze_time <= stored.submit_time, false) and event.thawed_at is null
        and not event.sees_live and not coalesce((
          select true
          from event_reveals
          where event_reveals.event_id = stored.event_id and event_reveals.user_id = stored.user_id
            and event_reveals.problem_id = stored.problem_id), false))`

/**
 * The columns of `stored` in lists. A frozen submission's verdict is as before judging. Other
 * users' have no program and outputs (D28).
 */
export const shownVerdict = `stored.id, stored.user_id, stored.problem_id, stored.language_id, stored.event_id, stored.submit_time,
        case when masked.is_frozen then 'PENDING' else stored.status end as status,
        case when not masked.is_frozen then stored.reason end as reason,
        case when masked.is_frozen then 0 else stored.time_elapsed end as time_elapsed,
        case when masked.is_own then stored.source_code end as source_code,
        case when masked.is_own then case when masked.is_frozen then '' else stored.stdout end end as stdout,
        case when masked.is_own then case when masked.is_frozen then '' else stored.stderr end end as stderr,
        case when not masked.is_frozen then stored.failed_test_case_id end as failed_test_case_id,
        case when not masked.is_frozen then stored.memory_used end as memory_used,
        case when not masked.is_frozen then stored.score end as score`
