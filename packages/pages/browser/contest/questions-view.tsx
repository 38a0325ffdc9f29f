import type { Schemas } from '@judge-data-layer/client'
import { JudgeApiError, orThrow } from '@judge-data-layer/client/errors'
import type { ComponentChildren, TargetedSubmitEvent } from 'preact'
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
          <QuestionItem key={question.id} question={question} problems={problems}>
            {rights?.isStaff && !question.is_announcement && <AnswerForm {...props} question={question} />}
          </QuestionItem>
        ))}
      </ul>
      {rights?.isStaff && (
        <p>
          You are staff of this contest: answer with <code>judge contest answer</code>. You can also answer
          here.
        </p>
      )}
      {rights?.mayAsk && <AskForm {...props} />}
    </>
  )
}

interface QuestionItemProps {
  readonly question: Question
  readonly problems: readonly ContestProblem[]
  readonly children: ComponentChildren
}

function QuestionItem({ question, problems, children }: QuestionItemProps) {
  const { problem_id, user, answer, answerer, is_public, created_at } = question
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
          {!isNews && is_public === undefined && answerer && (
            <p class="about">{`Answer of ${answerer.name}:`}</p>
          )}
          <p class="answer">{answer}</p>
        </>
      )}
      {children}
    </li>
  )
}

interface AnswerFormProps extends ViewProps {
  readonly question: Question
}

const REPLACE = 'The question is answered already, perhaps by a colleague. Replace the answer?'

/** Staff answers. To replace an answer, also one of a colleague meanwhile, the page asks. */
function AnswerForm({ client, eventId, data: { questions }, question }: AnswerFormProps) {
  const { isBusy, message, run } = useAction()
  const path = { event_id: eventId, question_id: question.id }
  const send = (body: Schemas['AnswerBody'], query: { replace?: boolean }) =>
    orThrow(
      client.PUT('/v1/events/{event_id}/questions/{question_id}/answer', { params: { path, query }, body }),
    )
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    const body = { answer: String(fields.get('answer')), public: fields.has('public') }
    run(async () => {
      try {
        await send(body, {})
      } catch (err) {
        if (!(err instanceof JudgeApiError) || err.code !== 'ALREADY_ANSWERED') throw err
        questions.reload()
        if (!confirm(REPLACE)) return
        await send(body, { replace: true })
      }
      form.reset()
      questions.reload()
    })
  }
  return (
    <form class="ask" onSubmit={submit}>
      <label>
        Your answer
        <textarea name="answer" rows={2} required />
      </label>
      {question.is_public !== undefined && (
        <label>
          <input type="checkbox" name="public" defaultChecked={question.is_public} /> Show it to everybody
        </label>
      )}
      <p class="error" role="alert">
        {message}
      </p>
      <button type="submit" disabled={isBusy}>
        Answer
      </button>
    </form>
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
