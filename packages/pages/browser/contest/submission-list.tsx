import { formatTime } from '../shared/format-time.ts'
import { ProblemLabel } from '../shared/problem-label.tsx'
import type { ContestData, OwnSubmission } from './contest-data.ts'
import { describeVerdict, lookOf } from './verdicts.ts'

interface SubmissionListProps {
  readonly data: ContestData
  /** Only those to this problem. */
  readonly problemId?: number
}

/** The own submissions, newest first. */
export function SubmissionList({ data, problemId }: SubmissionListProps) {
  const all = data.submissions.data ?? []
  const shown = problemId === undefined ? all : all.filter(({ problem_id }) => problem_id === problemId)
  if (shown.length === 0) return <p>You have not submitted anything yet.</p>
  return (
    <table class="submissions">
      <caption class="spoken">Your submissions, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Problem</th>
          <th scope="col">Language</th>
          <th scope="col">Verdict</th>
          <th scope="col">CPU</th>
        </tr>
      </thead>
      <tbody>
        {shown.map((submission) => (
          <Submission key={submission.id} submission={submission} data={data} />
        ))}
      </tbody>
    </table>
  )
}

function Submission({
  submission,
  data,
}: {
  readonly submission: OwnSubmission
  readonly data: ContestData
}) {
  const { submit_time, problem_id, problem, language, status, stderr, time_elapsed, score, max_score } =
    submission
  const known = data.problems.data?.find((one) => one.problem_id === problem_id)
  return (
    <>
      <tr data-submission={submission.id}>
        <td class="time">{formatTime(submit_time)}</td>
        <td class="problem">
          {known?.label && <ProblemLabel label={known.label} color={known.color} />} {problem.title}
        </td>
        <td class="language">{language.name}</td>
        <td class="outcome">
          <span class={`verdict ${lookOf(status)}`}>{describeVerdict(submission)}</span>
          {score !== undefined && ` ${score}${max_score === undefined ? '' : ` of ${max_score}`} points`}
        </td>
        <td class="cpu">{status !== 'PENDING' && `${time_elapsed.toFixed(2)} s`}</td>
      </tr>
      {status === 'COMPILE_TIME_ERROR' && stderr && (
        <tr class="compiler">
          <td colSpan={5}>
            <details>
              <summary>What the compiler says</summary>
              <pre>{stderr}</pre>
            </details>
          </td>
        </tr>
      )}
    </>
  )
}
