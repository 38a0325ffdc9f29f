import type { ComponentChildren, TargetedSubmitEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { describeError } from '../shared/request.ts'
import { logIn, requireStaff } from './reveal.ts'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A modal dialog; Escape closes it. */
function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="dialog-title">
      <h2 id="dialog-title">{title}</h2>
      {children}
      <button type="button" class="close" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  )
}

const KEYS: readonly (readonly [key: string, meaning: string])[] = [
  ['?', 'shows these keys'],
  ['p', 'stops and starts the automatic scrolling'],
  ['d', 'changes between light and dark'],
  ['f', 'fills the screen'],
  ['t', 'starts the reveal of frozen results, for staff; again: ends it'],
  ['→ or space', 'reveals the next result'],
  ['←', 'takes the last step back'],
]

export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="keys">
        {KEYS.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

interface RevealDialogProps {
  readonly eventId: number
  readonly onClose: () => void
  readonly onToken: (token: string) => void
}

/** Asks staff for their token, or for the e-mail and password that give one. */
export function RevealDialog({ eventId, onClose, onToken }: RevealDialogProps) {
  const [message, setMessage] = useState('')
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const read = (name: string) => String(fields.get(name) ?? '')
    const entered = read('token').trim()
    if (entered === '' && read('email') === '')
      return setMessage('Enter your e-mail and password, or a token.')
    setMessage('')
    try {
      const token = entered || (await logIn(read('email'), read('password')))
      await requireStaff(eventId, token)
      onToken(token)
    } catch (err) {
      setMessage(describeError(err))
    }
  }
  return (
    <Dialog title="Reveal the frozen results" onClose={onClose}>
      <form onSubmit={submit} autocomplete="off">
        <p>For staff of this contest. The token is kept in memory only: a reload forgets it.</p>
        <label>
          E-mail
          <input name="email" type="email" autocomplete="off" />
        </label>
        <label>
          Password
          <input name="password" type="password" autocomplete="off" />
        </label>
        <label>
          Or a token
          <input name="token" type="password" autocomplete="off" aria-describedby="token-help" />
        </label>
        <p id="token-help" class="hint">
          Your own token from a login, such as <code>JUDGE_USER_TOKEN</code> of the command line. It is not
          the token in the address of this page.
        </p>
        <p class="error" role="alert">
          {message}
        </p>
        <button type="submit">Start</button>
      </form>
    </Dialog>
  )
}
