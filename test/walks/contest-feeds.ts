import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { openResponse } from '../support/streams.ts'
import type { FeedLine } from '../support/verification/event-feed.ts'

/** An open event feed. */
export type OpenFeed = Awaited<ReturnType<typeof openFeed>>

type App = Pick<FastifyInstance, 'inject'>
type Reader = { readonly token?: string | undefined; readonly sinceToken?: string | undefined }

/** Opens the feed of a contest without a network; it closes with the test or the file. */
export async function openFeed(app: App, eventId: number, { token, sinceToken }: Reader) {
  const query = sinceToken === undefined ? '' : `?since_token=${encodeURIComponent(sinceToken)}`
  let text = ''
  const url = `/v1/clics/contests/${eventId}/event-feed${query}`
  const { status, leave, hasEnded } = await openResponse(app, { url, token }, (piece) => {
    text += piece
  })
  const whole = () => text.split('\n').slice(0, -1)
  const lines = () => whole().flatMap((line): FeedLine[] => (line === '' ? [] : [JSON.parse(line)]))
  return {
    /** `text`: everything that has come, also line breaks without a line. */
    ...{ status, text: () => text, lines, leave },
    async until(isWanted: (line: FeedLine) => boolean): Promise<FeedLine> {
      await expect.poll(() => hasEnded() || lines().some(isWanted)).toBe(true)
      const found = lines().find(isWanted)
      if (found === undefined) throw new Error(`the feed ended without this line: ${text.slice(0, 500)}`)
      return found
    },
  }
}

/** Reads the present state of a contest: the lines up to the first token. Others get an error. */
export async function readWholeFeed(app: App, eventId: number, token: string | undefined): Promise<string> {
  const feed = await openFeed(app, eventId, { token })
  if (feed.status === 200) await feed.until((line) => line.token !== undefined)
  await feed.leave()
  return feed.text()
}
