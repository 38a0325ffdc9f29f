import type { Schemas } from '@judge-data-layer/client'

/** Who is logged in. */
export type Session = Pick<Schemas['Session'], 'token' | 'id' | 'name'>

const KEY = 'session'

/** The session of this tab; `sessionStorage` ends with the tab. */
export function loadSession(): Session | undefined {
  try {
    const session: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    const { token, id, name } = Object(session)
    return [token, id, name].every((field) => typeof field === 'string') ? { token, id, name } : undefined
  } catch {
    return undefined
  }
}

/** Keeps the session for reloads of this tab; undefined forgets it. */
export function saveSession(session: Session | undefined): void {
  if (session === undefined) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, JSON.stringify(session))
}
