import { setTimeout as sleep } from 'node:timers/promises'
import { createJudgeClient, type Schemas } from '@judge-data-layer/client'
import type { Result } from '@judge-data-layer/client/errors'
import pLimit from 'p-limit'
import { inTime } from './load.ts'
import { startRepeating } from './scenario.ts'
import type { World } from './world.ts'

export interface Rejudging {
  readonly id: string
  /** What a client did with it, if that was acknowledged. */
  decided?: 'APPLIED' | 'CANCELLED'
}

/** How staff decides, as the end of the path. */
export type Decision = 'apply' | 'cancel'

export type Rejudgings = ReturnType<typeof startRejudgings>

const TRY_TIMEOUT_MS = 30_000
const PAUSE_MS = 200
/** A killed instance's messages are claimed for 20 s. */
const MOST_LOOKS = 200

/** Rejudges the submissions of one person after another until `stop`; applies or cancels each. */
export function startRejudgings(baseUrl: string, { adminToken, eventId, people }: World) {
  const requested: Rejudging[] = []
  const refusals: { readonly refusal: string }[] = []
  const client = createJudgeClient({ baseUrl, token: adminToken })
  // One decision at a time, so that a scenario knows which one it disturbs.
  const oneAtATime = pLimit(1)

  /** The body of a success. An expected error is none of the service's. */
  async function ask<Data>(
    send: (signal: AbortSignal) => Promise<Result<Data, Schemas['ErrorResponse']>>,
    expected: readonly string[],
  ): Promise<{ data?: Data; code?: string; rejudging_id?: string | undefined }> {
    const { data, error, response } = (await inTime(TRY_TIMEOUT_MS, send)) ?? {}
    if (response && error !== undefined && response.status < 500 && !expected.includes(error.code))
      refusals.push({ refusal: `${response.status} ${error.message}` })
    return {
      ...(data !== undefined && { data }),
      ...(error && { code: error.code, rejudging_id: error.rejudging_id }),
    }
  }

  /** Undefined without an acknowledgement, and if no submission matches. */
  const request = async (filters: { user_id?: string } = {}): Promise<Rejudging | undefined> => {
    const body = { event_id: eventId, reason: 'under faults', ...filters }
    const { data, rejudging_id } = await ask(
      (signal) => client.POST('/v1/rejudgings', { body, signal }),
      ['NOT_FOUND', 'REJUDGING_OPEN', 'TOO_MANY_REJUDGINGS'],
    )
    // The response to an earlier request may have been lost.
    const id = data?.id ?? rejudging_id
    if (id === undefined) return undefined
    const rejudging = requested.find((one) => one.id === id) ?? { id }
    if (!requested.includes(rejudging)) requested.push(rejudging)
    return rejudging
  }
  /** The number of its judgings that have not ended. Undefined without a response. */
  const countPending = async ({ id }: Rejudging): Promise<number | undefined> => {
    const params = { path: { decision_id: id } }
    const { data } = await ask((signal) => client.GET('/v1/rejudgings/{decision_id}', { params, signal }), [])
    return data?.pending
  }
  /** Whether it is decided, perhaps by an earlier request without a response. */
  const decide = async (rejudging: Rejudging, how: Decision): Promise<boolean> => {
    const params = { path: { decision_id: rejudging.id } }
    const { data, code } = await ask(
      (signal) =>
        how === 'apply'
          ? client.POST('/v1/rejudgings/{decision_id}/apply', { params, signal })
          : client.POST('/v1/rejudgings/{decision_id}/cancel', { params, signal }),
      ['REJUDGING_PENDING', 'REJUDGING_DECIDED'],
    )
    if (data !== undefined) rejudging.decided = how === 'apply' ? 'APPLIED' : 'CANCELLED'
    return data !== undefined || code === 'REJUDGING_DECIDED'
  }

  async function decideNext(number: number): Promise<void> {
    const person = people[number % people.length]
    const rejudging = await request({ ...(person && { user_id: person.id }) })
    if (rejudging === undefined) return
    const how = number % 3 === 2 ? 'cancel' : 'apply'
    for (let look = 0; look < MOST_LOOKS && !isStopping(); look += 1) {
      if (how === 'cancel' || (await countPending(rejudging)) === 0)
        if (await oneAtATime(() => decide(rejudging, how))) return
      await sleep(PAUSE_MS)
    }
  }
  const { isStopping, stop } = startRepeating(decideNext)
  return {
    ...{ requested, refusals, request, countPending, decide, stop },
    /** Runs work while nothing else is decided. */
    alone: <T>(work: () => Promise<T>): Promise<T> => oneAtATime(work),
  }
}
