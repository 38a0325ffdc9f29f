import '../shared/base.css'
import '../shared/standings.css'
import 'temml/dist/Temml-Local.css'
import './contest.css'
import './standings-frame.css'
import './phone.css'
import './statement.css'
import { createJudgeClient, type JudgeClient } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { render, type TargetedSubmitEvent } from 'preact'
import { useState } from 'preact/hooks'
import { readEventId } from '../shared/event-id.ts'
import { describeLoginError } from '../shared/request.ts'
import { loadSession, type Session, saveSession } from './session.ts'
import { SignedIn } from './signed-in.tsx'
import { useAction } from './use-action.ts'

function Contest({ eventId }: { readonly eventId: number }) {
  const [session, setSession] = useState(loadSession)
  const [client] = useState(() => {
    const opened = createJudgeClient({ baseUrl: location.origin })
    opened.setToken(session?.token)
    return opened
  })
  const [message, setMessage] = useState('')
  const enter = (next: Session | undefined, reason = '') => {
    client.setToken(next?.token)
    saveSession(next)
    setSession(next)
    setMessage(reason)
  }
  if (session === undefined) return <Login client={client} message={message} onSession={enter} />
  return (
    <SignedIn
      key={session.token}
      {...{ client, eventId, session }}
      onSignOut={(reason) => enter(undefined, reason)}
    />
  )
}

const page = document.querySelector('#page')
if (page !== null) render(<Contest eventId={readEventId(location.pathname)} />, page)

interface LoginProps {
  readonly client: JudgeClient
  /** Why somebody must log in again. */
  readonly message: string
  readonly onSession: (session: Session) => void
}

function Login({ client, message: reason, onSession }: LoginProps) {
  const { isBusy, message, run } = useAction(describeLoginError, reason)
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const body = { email: String(fields.get('email')), password: String(fields.get('password')) }
    run(async () => {
      const { token, id, name } = await orThrow(client.POST('/v1/basic_login', { body }))
      onSession({ token, id, name })
    })
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
