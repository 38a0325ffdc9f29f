import { useRef, useState } from 'preact/hooks'
import { describeError } from '../shared/request.ts'
import type { ViewProps } from './contest-data.ts'
import { languageOfFile, languagesOf, submitOnce } from './submit.ts'
import { useAction } from './use-action.ts'

export interface ProgramOptions extends ViewProps {
  readonly problemId: number
  /** Programs that were not submitted yet, by problem. */
  readonly drafts: Map<number, string>
}

/** The program for a problem, its language, and its submission. */
export function useProgram({ client, eventId, session, data, problemId, drafts }: ProgramOptions) {
  const languages = languagesOf(data.languages.data ?? [], data.event.data)
  const [chosen, setChosen] = useState('')
  const languageId = chosen || (languages[0]?.id ?? '')
  const { source, change, key, renewKey } = useDraft(drafts, problemId)
  const { isBusy, message, setMessage, run } = useAction()
  const readFile = async (file: File) => {
    change(await file.text())
    const language = languageOfFile(file.name, languages, languageId)
    if (language !== undefined) setChosen(language.id)
  }
  const submit = () => {
    const ids = { user_id: session.id, problem_id: problemId, event_id: eventId, language_id: languageId }
    const onWait = (seconds: number, err: unknown) =>
      setMessage(`${describeError(err)} Your program is sent again in ${seconds} s.`)
    run(async () => {
      const program = { ...ids, source_code: source }
      await submitOnce(client, program, { key: key.current, pause, onWait }).finally(renewKey)
      // Somebody may have written on meanwhile.
      if (drafts.get(problemId) === source) change('')
      setMessage('Your program was submitted.')
      data.submissions.reload()
    })
  }
  return {
    ...{ languages, languageId, choose: setChosen, source, change, message, isBusy, submit },
    takeFile: (file: File | undefined) =>
      void (file && readFile(file).catch((err: unknown) => setMessage(describeError(err)))),
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** The text of a program, and the key of its submission. */
function useDraft(drafts: Map<number, string>, problemId: number) {
  const [source, setSource] = useState(drafts.get(problemId) ?? '')
  // The same program is the same submission until the service has responded to it.
  const key = useRef(crypto.randomUUID())
  const renewKey = () => {
    key.current = crypto.randomUUID()
  }
  const change = (text: string) => {
    drafts.set(problemId, text)
    setSource(text)
    renewKey()
  }
  return { source, change, key, renewKey }
}
