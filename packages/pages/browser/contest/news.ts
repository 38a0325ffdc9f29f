import type { ContestProblem, OwnSubmission, Question } from './contest-data.ts'
import { describeVerdict } from './verdicts.ts'

type Judged = Pick<OwnSubmission, 'id' | 'status' | 'reason' | 'problem_id'> & {
  readonly problem: { readonly title: string }
}
type Asked = Pick<Question, 'id' | 'user_id' | 'is_answered' | 'updated_at' | 'answer' | 'is_announcement'>

/** The parts that may have news; undefined before they were read. */
interface Followed {
  readonly submissions: readonly Judged[] | undefined
  readonly questions: readonly Asked[] | undefined
}

interface Reader {
  readonly userId: string
  readonly problems: readonly ContestProblem[]
}

/** The news between two states: new verdicts, answers and announcements. */
export function findNews(before: Followed, after: Followed, reader: Reader): string[] {
  return [...findVerdicts(before, after, reader), ...findAnswers(before, after, reader)]
}

function findVerdicts(before: Followed, after: Followed, { problems }: Reader): string[] {
  const pending = (before.submissions ?? []).filter(({ status }) => status === 'PENDING').map(({ id }) => id)
  return (after.submissions ?? [])
    .filter(({ id, status }) => status !== 'PENDING' && pending.includes(id))
    .map((submission) => {
      const { problem_id, problem } = submission
      const label = problems.find((known) => known.problem_id === problem_id)?.label
      return `${label ?? problem.title}: ${describeVerdict(submission)}`
    })
}

function findAnswers(before: Followed, after: Followed, { userId }: Reader): string[] {
  if (before.questions === undefined) return []
  const known = new Map(before.questions.map(({ id, updated_at }) => [id, updated_at]))
  return (after.questions ?? [])
    .filter(({ id, updated_at, is_answered }) => is_answered && known.get(id) !== updated_at)
    .map((question) => {
      if (question.is_announcement) return `Announcement: ${question.answer}`
      const whose = question.user_id === userId ? 'Your question was answered' : 'A question was answered'
      return `${whose}: ${question.answer}`
    })
}
