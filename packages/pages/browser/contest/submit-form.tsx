import { type ProgramOptions, useProgram } from './use-program.ts'

/** A form for a program: a text, or a file whose extension chooses the language. */
export function SubmitForm(props: ProgramOptions) {
  const { languages, languageId, choose, source, change, takeFile, message, isBusy, submit } =
    useProgram(props)
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
