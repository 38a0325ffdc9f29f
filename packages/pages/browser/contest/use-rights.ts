import { useCallback } from 'preact/hooks'
import { send } from '../shared/request.ts'
import type { ContestEvent } from './contest-data.ts'
import type { Session } from './session.ts'
import { useResource } from './use-resource.ts'

/** What the reader may do besides submitting. */
export interface Rights {
  readonly takesPart: boolean
  readonly isStaff: boolean
  readonly mayAsk: boolean
}

/** A part of the Contest API's access, which the client has no types of. */
interface Access {
  readonly capabilities: readonly string[]
}

/** Undefined until it is known. Who takes part may ask: only for others a request is sent. */
export function useRights(
  eventId: number,
  { id: userId, token }: Session,
  event: ContestEvent | undefined,
): Rights | undefined {
  const takesPart = event?.participants.some(({ id }) => id === userId)
  const read = useCallback(async (): Promise<Access> => {
    const path = `/v1/clics/contests/${eventId}/access`
    return (await send(path, { headers: { Authorization: token } })).json()
  }, [eventId, token])
  const { data: access } = useResource(takesPart === false ? read : undefined)
  if (takesPart === true) return { takesPart, isStaff: isNamed(event, userId), mayAsk: true }
  if (access === undefined) return undefined
  const { capabilities } = access
  return {
    takesPart: false,
    isStaff: capabilities.includes('admin_clar'),
    mayAsk: capabilities.includes('post_clar'),
  }
}

const isNamed = (event: ContestEvent | undefined, userId: string) =>
  event?.user_id === userId || event?.staff?.includes(userId) === true
