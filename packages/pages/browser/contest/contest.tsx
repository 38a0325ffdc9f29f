import { createJudgeClient } from '@judge-data-layer/client'
import { useState } from 'preact/hooks'
import { Login } from './login.tsx'
import { loadSession, type Session, saveSession } from './session.ts'
import { SignedIn } from './signed-in.tsx'

/** The page for those who take part. */
export function Contest({ eventId }: { readonly eventId: number }) {
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
