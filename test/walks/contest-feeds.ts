import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { openResponse } from '../support/streams.ts'

interface Line {
  readonly type: string
  readonly id: string | null
  readonly data: unknown
  readonly token?: string
}

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
  const lines = () => whole().flatMap((line): Line[] => (line === '' ? [] : [JSON.parse(line)]))
  return {
    /** `text`: everything that has come, also line breaks without a line. */
    ...{ status, text: () => text, lines, leave },
    /** Waits until a line fulfils the condition. */
    async until(isWanted: (line: Line) => boolean): Promise<Line> {
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
