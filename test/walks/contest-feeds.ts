import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { openResponse } from '../support/streams.ts'

interface Line {
  readonly type: string
  readonly id: string | null
  readonly data: unknown
  readonly token?: string
}

/** An open event feed; it closes with the test or the file. */
export interface OpenFeed {
  readonly status: number
  /** Everything that has come, also line breaks without a line. */
  readonly text: () => string
  readonly lines: () => Line[]
  /** Waits until a line fulfils the condition. */
  until(isWanted: (line: Line) => boolean): Promise<Line>
  leave(): Promise<void>
}

/** Opens the feed of a contest without a network. */
export async function openFeed(
  app: Pick<FastifyInstance, 'inject'>,
  eventId: number,
  { token, sinceToken }: { readonly token?: string | undefined; readonly sinceToken?: string | undefined },
): Promise<OpenFeed> {
  const query = sinceToken === undefined ? '' : `?since_token=${encodeURIComponent(sinceToken)}`
  let text = ''
  const url = `/v1/clics/contests/${eventId}/event-feed${query}`
  const { status, leave, hasEnded } = await openResponse(app, { url, token }, (piece) => {
    text += piece
  })
  const whole = () => text.split('\n').slice(0, -1)
  const lines = () => whole().flatMap((line): Line[] => (line === '' ? [] : [JSON.parse(line)]))
  return {
    ...{ status, text: () => text, lines, leave },
    async until(isWanted) {
      await expect.poll(() => hasEnded() || lines().some(isWanted)).toBe(true)
      const found = lines().find(isWanted)
      if (found === undefined) throw new Error(`the feed ended without this line: ${text.slice(0, 500)}`)
      return found
    },
  }
}

/** Reads the present state of a contest: the lines up to the first token. Others get an error. */
export async function readWholeFeed(
  app: Pick<FastifyInstance, 'inject'>,
  eventId: number,
  token: string | undefined,
): Promise<string> {
  const feed = await openFeed(app, eventId, { token })
  if (feed.status === 200) await feed.until((line) => line.token !== undefined)
  await feed.leave()
  return feed.text()
}
