import { orThrow } from '@judge-data-layer/client/errors'
import { ProblemLabel } from '../shared/problem-label.tsx'
import type { OwnSubmission, ViewProps } from './contest-data.ts'
import { Worth } from './problem-worth.tsx'
import { useAction } from './use-action.ts'
import { describeVerdict, lookOf } from './verdicts.ts'

export function ProblemList(props: ViewProps) {
  const { problems, submissions, event } = props.data
  return (
    <>
      {event.data?.description && <p class="description">{event.data.description}</p>}
      <TakePart {...props} />
      <h2>Problems</h2>
      {problems.data?.length === 0 && <p>There are no problems yet.</p>}
      <ul class="problems">
        {problems.data?.map(({ id, problem_id, label, color, points, problem }) => {
          const best = findBest(submissions.data ?? [], problem_id)
          return (
            <li key={id}>
              <a href={`#problems/${id}`}>
                <ProblemLabel label={label ?? '•'} color={color} />
                <span class="problem-title">{problem.title}</span>
                <Worth event={event.data} points={points} />
                {best && <span class={`verdict ${lookOf(best.status)}`}>{describeVerdict(best)}</span>}
              </a>
            </li>
          )
        })}
      </ul>
    </>
  )
}

/** The newest accepted one, else the newest. */
function findBest(submissions: readonly OwnSubmission[], problemId: number): OwnSubmission | undefined {
  const own = submissions.filter(({ problem_id }) => problem_id === problemId)
  return own.find(({ status }) => status === 'ACCEPTED') ?? own[0]
}

/** Asks those who do not take part yet to register. */
function TakePart({ client, eventId, rights, data: { event, problems, clock } }: ViewProps) {
  const { isBusy, message, run } = useAction()
  if (event.data === undefined || rights === undefined || rights.takesPart) return null
  if (event.data.admission === 'invited')
    return (
      <p>
        {rights.isStaff
          ? 'You are staff of this contest, and do not take part.'
          : 'You do not take part in this contest.'}
      </p>
    )
  const register = () =>
    run(async () => {
      const params = { path: { event_id: eventId } }
      await orThrow(client.POST('/v1/public/events/{event_id}/register', { params }))
      for (const one of [event, problems, clock]) one.reload()
    })
  return (
    <p>
      You do not take part in this contest yet.{' '}
      <button type="button" disabled={isBusy} onClick={register}>
        Take part
      </button>{' '}
      <span class="error" role="alert">
        {message}
      </span>
    </p>
  )
}
