import type { JudgeClient } from '@judge-data-layer/client'
import { useRef, useState } from 'preact/hooks'
import { describeError } from '../shared/request.ts'
import type { Session } from './session.ts'
import { languageOfFile, languagesOf, submitOnce } from './submit.ts'
import { useBusy } from './use-busy.ts'
import type { ContestData } from './use-contest.ts'

interface SubmitFormProps {
  readonly client: JudgeClient
  readonly eventId: number
  readonly session: Session
  readonly data: ContestData
  readonly problemId: number
  readonly drafts: Map<number, string>
}

/** A form for a program: a text, or a file whose extension chooses the language. */
export function SubmitForm({ client, eventId, session, data, problemId, drafts }: SubmitFormProps) {
  const languages = languagesOf(data.languages.data ?? [], data.event.data)
  const [chosen, setChosen] = useState('')
  const languageId = chosen || (languages[0]?.id ?? '')
  const [source, setSource] = useState(drafts.get(problemId) ?? '')
  const [message, setMessage] = useState('')
  const [isBusy, whileBusy] = useBusy()
  // The same program is the same submission until the service has responded to it.
  const key = useRef(crypto.randomUUID())
  const change = (text: string) => {
    drafts.set(problemId, text)
    setSource(text)
    key.current = crypto.randomUUID()
  }
  const takeFile = async (file: File | undefined) => {
    if (file === undefined) return
    change(await file.text())
    const language = languageOfFile(file.name, languages, languageId)
    if (language !== undefined) setChosen(language.id)
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const ids = { user_id: session.id, problem_id: problemId, event_id: eventId, language_id: languageId }
    const options = {
      key: key.current,
      pause: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
      onWait: (seconds: number, err: unknown) =>
        setMessage(`${describeError(err)} Your program is sent again in ${seconds} s.`),
    }
    setMessage('')
    void whileBusy(async () => {
      await submitOnce(client, { ...ids, source_code: source }, options)
      // Somebody may have written on meanwhile.
      if (drafts.get(problemId) === source) change('')
      setMessage('Your program was submitted.')
      data.submissions.reload()
    }).catch((err: unknown) => {
      key.current = crypto.randomUUID()
      setMessage(describeError(err))
    })
  }
  return (
    <form class="submit" onSubmit={submit}>
      <h3>Submit</h3>
      <label>
        File
        <input
          type="file"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0]
            takeFile(file).catch((err: unknown) => setMessage(describeError(err)))
            // The same file may be chosen again after a change.
            currentTarget.value = ''
          }}
        />
      </label>
      <label>
        Language
        <select value={languageId} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
          {languages.map(({ id, name, version }) => (
            <option key={id} value={id}>
              {name} {version}
            </option>
          ))}
        </select>
      </label>
      <label>
        Program
        <textarea
          rows={14}
          spellcheck={false}
          required
          value={source}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      </label>
      <p role="status">{message}</p>
      <button type="submit" disabled={isBusy}>
        Submit
      </button>
    </form>
  )
}
