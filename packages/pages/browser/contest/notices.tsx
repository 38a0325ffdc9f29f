import { useEffect, useRef, useState } from 'preact/hooks'
import type { ContestData } from './contest-data.ts'
import { findNews } from './news.ts'

interface Notice {
  readonly id: number
  readonly text: string
}

interface NoticesProps {
  readonly notices: readonly Notice[]
  readonly onClose: (id: number) => void
}

/** More would cover the page. */
const MOST_NOTICES = 4

/** Tells news: verdicts, answers and announcements. */
export function useNotices(data: ContestData, userId: string): NoticesProps {
  const [notices, setNotices] = useState<readonly Notice[]>([])
  const count = useRef(0)
  const [submissions, questions] = [data.submissions.data, data.questions.data]
  const problems = data.problems.data
  const seen = useRef({ submissions, questions })
  useEffect(() => {
    const texts = findNews(seen.current, { submissions, questions }, { userId, problems: problems ?? [] })
    seen.current = { submissions, questions }
    if (texts.length === 0) return
    const added = texts.map((text) => {
      count.current += 1
      return { id: count.current, text }
    })
    setNotices((before) => [...before, ...added].slice(-MOST_NOTICES))
  }, [submissions, questions, problems, userId])
  return { notices, onClose: (id) => setNotices((before) => before.filter((notice) => notice.id !== id)) }
}

export function Notices({ notices, onClose }: NoticesProps) {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.map(({ id, text }) => (
        <p key={id}>
          {text}
          <button type="button" aria-label="Close" onClick={() => onClose(id)}>
            ✕
          </button>
        </p>
      ))}
    </div>
  )
}
