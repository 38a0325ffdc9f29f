import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { closeLater } from './cleanup.ts'

export interface StreamEvent {
  readonly name: string
  /** The position that the client has after this event. */
  readonly id: string | undefined
  readonly data: ReturnType<JSON['parse']>
}

interface StreamRequest {
  readonly url: string
  readonly token?: string | undefined
  readonly lastId?: string | undefined
  readonly headers?: Record<string, string>
}

/** Opens a response without an end; it closes with the test or file. `onPiece` gets its text. */
export async function openResponse(
  app: Pick<FastifyInstance, 'inject'>,
  { url, token, lastId, headers }: StreamRequest,
  onPiece: (piece: string) => void,
) {
  const response = await app.inject({
    ...{ method: 'GET', url, payloadAsStream: true },
    headers: {
      ...headers,
      ...(token !== undefined && { authorization: token }),
      ...(lastId !== undefined && { 'last-event-id': lastId }),
    },
  })
  const server = response.raw.res
  const leave = async () => {
    if (server.destroyed) return
    const closed = once(server, 'close')
    server.destroy()
    await closed
  }
  closeLater(leave)
  let hasEnded = false
  const end = () => {
    hasEnded = true
  }
  const stream = response.stream().setEncoding('utf8')
  stream.on('end', end).on('error', end).on('close', end).on('data', onPiece)
  return { status: response.statusCode, headers: response.headers, leave, hasEnded: () => hasEnded }
}

/** Opens an event stream without a network; it closes with the test or the file. */
export async function openStream(app: Pick<FastifyInstance, 'inject'>, request: StreamRequest) {
  const { onPiece, ...reader } = readEvents()
  const opened = await openResponse(app, request, onPiece)
  return {
    ...{ ...reader, ...opened },
    async until(name: string, data: object = {}): Promise<StreamEvent> {
      const find = () =>
        reader.events.find(
          (event) => event.name === name && expect.objectContaining(data).asymmetricMatch(event.data),
        )
      await expect.poll(() => find() !== undefined || opened.hasEnded()).toBe(true)
      const found = find()
      if (found === undefined) throw new Error(`the stream ended without ${name} ${JSON.stringify(data)}`)
      return found
    },
    untilEnded: (): Promise<void> => expect.poll(opened.hasEnded).toBe(true),
  }
}

export type OpenStream = Awaited<ReturnType<typeof openStream>>

/** Reads events from the text of a stream, by the rules of the HTML standard. */
function readEvents() {
  const events: StreamEvent[] = []
  let lastId: string | undefined
  let comments = 0
  let text = ''
  const readBlock = (block: string) => {
    const fields = new Map<string, string>()
    for (const line of block.split('\n')) {
      const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? []
      if (name === '') comments += 1
      else fields.set(name, value)
    }
    lastId = fields.get('id') ?? lastId
    const data = fields.get('data')
    if (data === undefined) return
    events.push({ name: fields.get('event') ?? 'message', id: lastId, data: JSON.parse(data) })
  }
  const onPiece = (piece: string) => {
    const blocks = `${text}${piece}`.split('\n\n')
    text = blocks.pop() ?? ''
    blocks.forEach(readBlock)
  }
  return { events, onPiece, comments: () => comments, lastId: () => lastId }
}
