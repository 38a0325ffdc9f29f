import type { Schemas } from '@judge-data-layer/client'
import { JudgeApiError, orThrow } from '@judge-data-layer/client/errors'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useResource } from '../shared/poll.ts'
import { ProblemLabel } from '../shared/problem-label.tsx'
import type { ContestProblem, ViewProps } from './contest-data.ts'
import { renderMarkdown } from './markdown.ts'
import {
  downloadFile,
  findFile,
  loadPictures,
  type ProblemFile,
  readFile,
  withoutStatement,
} from './problem-files.ts'
import { Worth } from './problem-worth.tsx'
import { SubmissionList } from './submission-list.tsx'
import { SubmitForm } from './submit-form.tsx'

interface ProblemPageProps extends ViewProps {
  readonly problem: ContestProblem
  /** Programs that were not submitted yet, by problem. */
  readonly drafts: Map<number, string>
}

/** A problem: its statement, samples, files, a form to submit, and the own submissions. */
export function ProblemPage(props: ProblemPageProps) {
  const { session, problem, ...others } = props
  const { problem_id } = problem
  const { full, files } = useProblem(props)
  return (
    <article>
      <h2>
        {problem.label && <ProblemLabel label={problem.label} color={problem.color} />}{' '}
        {problem.problem.title} <Worth event={others.data.event.data} points={problem.points} />
      </h2>
      {full.failure instanceof JudgeApiError && <p role="alert">{full.failure.message}</p>}
      {full.data && (
        <>
          <p class="limits">
            CPU time {full.data.execution_timeout} s, memory {full.data.memory_limit} MiB
          </p>
          <Statement
            token={session.token}
            problemId={problem_id}
            prompt={full.data.problem.prompt}
            files={files.data ?? NONE}
          />
          <Samples samples={full.data.problem.test_cases} />
        </>
      )}
      <Files files={files.data ?? NONE} token={session.token} problemId={problem_id} />
      <SubmitForm {...others} session={session} problemId={problem_id} />
      <SubmissionList data={others.data} problemId={problem_id} />
    </article>
  )
}

function useProblem({ client, eventId, data, problem: { id, problem_id, problem } }: ProblemPageProps) {
  const state = data.clock.data?.times.state
  // After the start, and for those who take part, the problem can be read: then it is read again.
  const people = data.event.data?.participant_count
  const readProblem = useCallback(() => {
    const params = { path: { event_id: eventId, event_problem_id: id } }
    return orThrow(client.GET('/v1/events/{event_id}/problems/{event_problem_id}', { params }))
  }, [client, eventId, id, problem.updated_at, state, people])
  const full = useResource(readProblem)
  const readFiles = useCallback(() => {
    const params = { path: { problem_id } }
    return orThrow(client.GET('/v1/problems/{problem_id}/files', { params }))
  }, [client, problem_id, problem.updated_at, state, people])
  const files = useResource(readFiles)
  return { full, files }
}

/** The same array each time: a new array would draw the statement again. */
const NONE = [] as const

interface FilesProps {
  readonly files: readonly ProblemFile[]
  readonly token: string
  readonly problemId: number
}

function Files({ files: all, token, problemId }: FilesProps) {
  const files = withoutStatement(all)
  if (files.length === 0) return null
  return (
    <section>
      <h3>Files</h3>
      <ul class="files">
        {files.map(({ name, bytes }) => (
          <li key={name}>
            <button type="button" onClick={() => void downloadFile(token, problemId, name)}>
              {name}
            </button>{' '}
            {Math.ceil(bytes / 1024)} KiB
          </li>
        ))}
      </ul>
    </section>
  )
}

type Sample = Pick<Schemas['TestCase'], 'id' | 'input' | 'expected_output'>

function Samples({ samples }: { readonly samples: readonly Sample[] }) {
  if (samples.length === 0) return null
  return (
    <section>
      <h3>Samples</h3>
      {samples.map(({ id, input, expected_output }, index) => (
        <div key={id} class="sample">
          <figure>
            <figcaption>Input {index + 1}</figcaption>
            <pre>{input}</pre>
          </figure>
          <figure>
            <figcaption>Output {index + 1}</figcaption>
            <pre>{expected_output}</pre>
          </figure>
        </div>
      ))}
    </section>
  )
}

interface StatementProps extends FilesProps {
  readonly prompt: string
}

/** A statement: Markdown with formulas, and pictures of the problem. */
function Statement({ token, problemId, prompt, files }: StatementProps) {
  const place = useRef<HTMLDivElement>(null)
  const rendered = useRendered(prompt)
  useLayoutEffect(() => {
    if (place.current === null) return undefined
    place.current.replaceChildren(...(rendered === undefined ? [] : [rendered.cloneNode(true)]))
    for (const link of place.current.querySelectorAll<HTMLElement>('a[data-file]')) {
      const file = findFile(files, link.dataset.file ?? '')
      if (file !== undefined) turnIntoDownload(link, () => downloadFile(token, problemId, file.name))
    }
    return loadPictures(place.current, files, (name) => readFile(token, problemId, name))
  }, [token, problemId, rendered, files])
  return <div ref={place} class="statement" aria-busy={rendered === undefined} />
}

/** Undefined until it is there. */
function useRendered(prompt: string): DocumentFragment | undefined {
  const [last, setLast] = useState<{ readonly prompt: string; readonly nodes: DocumentFragment }>()
  useEffect(() => {
    const ending = new AbortController()
    renderMarkdown(prompt, ending.signal).then(
      (nodes) => setLast({ prompt, nodes }),
      () => {},
    )
    return () => ending.abort()
  }, [prompt])
  return last?.prompt === prompt ? last.nodes : undefined
}

function turnIntoDownload(link: HTMLElement, download: () => Promise<void>): void {
  const button = document.createElement('button')
  button.type = 'button'
  button.append(...link.childNodes)
  button.addEventListener('click', () => {
    download().catch((err: unknown) => button.append(` (${err instanceof Error ? err.message : 'failed'})`))
  })
  link.replaceWith(button)
}
