import type { JudgeClient } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import type { TargetedSubmitEvent } from 'preact'
import { useState } from 'preact/hooks'
import { describeLoginError } from '../shared/request.ts'
import type { Session } from './session.ts'
import { useBusy } from './use-busy.ts'

interface LoginProps {
  readonly client: JudgeClient
  /** Why somebody must log in again. */
  readonly message: string
  readonly onSession: (session: Session) => void
}

/** Asks for e-mail and password. */
export function Login({ client, message: reason, onSession }: LoginProps) {
  const [message, setMessage] = useState(reason)
  const [isBusy, whileBusy] = useBusy()
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const body = { email: String(fields.get('email')), password: String(fields.get('password')) }
    setMessage('')
    void whileBusy(async () => {
      const { token, id, name } = await orThrow(client.POST('/v1/basic_login', { body }))
      onSession({ token, id, name })
    }).catch((err: unknown) => setMessage(describeLoginError(err)))
  }
  return (
    <main class="login">
      <h1>Log in</h1>
      <form onSubmit={submit}>
        <label>
          E-mail
          <input name="email" type="email" autocomplete="username" required />
        </label>
        <label>
          Password
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        <p class="error" role="alert">
          {message}
        </p>
        <button type="submit" disabled={isBusy}>
          Log in
        </button>
      </form>
    </main>
  )
}
