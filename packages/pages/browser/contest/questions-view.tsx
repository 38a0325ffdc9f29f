import { orThrow } from '@judge-data-layer/client/errors'
import type { TargetedSubmitEvent } from 'preact'
import { formatTime } from '../shared/format-time.ts'
import type { ContestProblem, Question, ViewProps } from './contest-data.ts'
import { useAction } from './use-action.ts'

/** Questions with their answers, announcements, and a form to ask. */
export function QuestionsView(props: ViewProps) {
  const { data, rights } = props
  const problems = data.problems.data ?? []
  return (
    <>
      <h2>Questions and announcements</h2>
      {data.questions.data?.length === 0 && <p>There are none yet.</p>}
      <ul class="questions">
        {data.questions.data?.map((question) => (
          <QuestionItem key={question.id} question={question} problems={problems} />
        ))}
      </ul>
      {rights?.isStaff && (
        <p>
          You are staff of this contest: answer with <code>judge contest answer</code>.
        </p>
      )}
      {rights?.mayAsk && <AskForm {...props} />}
    </>
  )
}

interface QuestionItemProps {
  readonly question: Question
  readonly problems: readonly ContestProblem[]
}

function QuestionItem({ question, problems }: QuestionItemProps) {
  const { problem_id, user, answer, is_public, created_at } = question
  const about = problems.find((problem) => problem.problem_id === problem_id)
  const isNews = question.is_announcement === true
  return (
    <li class={isNews ? 'announcement' : ''}>
      <p class="about">
        {isNews ? 'Announcement' : user.name}
        {about && ` on ${about.label ?? ''} ${about.problem.title}`}, {formatTime(created_at)}
      </p>
      {!isNews && <p class="asked">{question.question}</p>}
      {answer === undefined ? (
        <p class="about">No answer yet.</p>
      ) : (
        <>
          {!isNews && is_public !== undefined && (
            <p class="about">{is_public ? 'Answer, for everybody:' : `Answer, only for ${user.name}:`}</p>
          )}
          <p class="answer">{answer}</p>
        </>
      )}
    </li>
  )
}

function AskForm({ client, eventId, data: { problems, questions } }: ViewProps) {
  const { isBusy, message, run } = useAction()
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    const problem = String(fields.get('problem'))
    const question = String(fields.get('question'))
    const body = { question, ...(problem !== '' && { problem_id: Number(problem) }) }
    run(async () => {
      const params = { path: { event_id: eventId } }
      await orThrow(client.POST('/v1/events/{event_id}/questions', { params, body }))
      form.reset()
      questions.reload()
    })
  }
  return (
    <form class="ask" onSubmit={submit}>
      <h3>Ask a question</h3>
      <label>
        About
        <select name="problem">
          <option value="">The contest</option>
          {problems.data?.map(({ problem_id, label, problem }) => (
            <option key={problem_id} value={problem_id}>
              {label} {problem.title}
            </option>
          ))}
        </select>
      </label>
      <label>
        Question
        <textarea name="question" rows={3} required />
      </label>
      <p class="error" role="alert">
        {message}
      </p>
      <button type="submit" disabled={isBusy}>
        Ask
      </button>
    </form>
  )
}
