import { serviceNow, viewClock } from '../shared/contest-clock.ts'
import { useNow } from '../shared/use-now.ts'
import type { OwnClock } from './contest-data.ts'
import { type ProgramOptions, useProgram } from './use-program.ts'

/**
 * A form for a program: a text, or a file whose extension chooses the language. Outside of the time
 * of this person a sentence takes its place; the program is kept, because the end may be moved.
 */
export function SubmitForm(props: ProgramOptions) {
  const { languages, languageId, choose, source, change, takeFile, message, isBusy, submit } =
    useProgram(props)
  const { data: clock, failure } = props.data.clock
  const closed = useClosed(clock)
  if (clock === undefined && failure === undefined) return null
  if (closed !== undefined)
    return (
      <section class="submit">
        <h3>Submit</h3>
        <p>{closed}</p>
        <p role="status">{message}</p>
      </section>
    )
  return (
    <form
      class="submit"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <h3>Submit</h3>
      <label>
        File
        <input
          type="file"
          onChange={({ currentTarget }) => {
            takeFile(currentTarget.files?.[0])
            // The same file may be chosen again after a change.
            currentTarget.value = ''
          }}
        />
      </label>
      <label>
        Language
        <select value={languageId} onChange={({ currentTarget }) => choose(currentTarget.value)}>
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

/** Why nobody with this clock can submit now; undefined while they can. */
function useClosed(clock: OwnClock | undefined): string | undefined {
  const nowMs = useNow(500)
  if (clock === undefined) return undefined
  const { times, serviceTime } = clock
  const { phase, label } = viewClock(times, serviceNow(serviceTime, nowMs), times.own_end_time)
  if (phase === 'before') return 'The contest has not started yet.'
  if (phase === 'running') return undefined
  return label === 'Cancelled' ? 'The contest was cancelled.' : 'The contest has ended.'
}
