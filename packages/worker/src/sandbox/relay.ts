import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Collect } from './collect-output.ts'

export interface RelayOptions {
  /** The stdin of the reader. */
  readonly input: Socket
  /** True: what the writer writes after the reader's end is dropped; false: it gets SIGPIPE. */
  readonly drains: boolean
  /** Called with all bytes up to the limit. */
  readonly record: (bytes: Buffer) => void
  /** Resolves when the writer's end may be shown to the reader, or the reader's to the writer. */
  readonly writerEnd: () => Promise<void>
  readonly readerEnd: () => Promise<void>
}

const DRAIN_MS = 1000

/**
 * Passes the stdout of one program to the stdin of another, without storing it. While the reader
 * does not read, the writer's pipe fills and the writer waits. The reader's input ends after all
 * that the writer wrote.
 */
export function createRelay({ input, drains, record, writerEnd, readerEnd }: RelayOptions) {
  let bytes = 0
  let unwritten = 0
  let isOver = false
  const finish = () => {
    if (isOver && unwritten === 0) input.destroy()
  }
  const collect: Collect = (output, limitBytes, onMore) => {
    const pass = (chunk: Buffer) => {
      if (!input.writable && !drains) {
        // What nobody reads any more does not count.
        output?.pause()
        return
      }
      const part = chunk.subarray(0, limitBytes - bytes)
      if (part.length < chunk.length) onMore()
      bytes += part.length
      if (part.length === 0 || !input.writable) return
      record(part)
      unwritten += 1
      const hasRoom = input.write(part, () => {
        unwritten -= 1
        if (unwritten === 0 && input.writable) output?.resume()
        finish()
      })
      if (!hasRoom) output?.pause()
    }
    const endInput = async () => {
      await writerEnd()
      isOver = true
      finish()
    }
    const endOutput = async () => {
      await readerEnd()
      if (drains) output?.resume()
      else output?.destroy()
    }
    output?.on('data', pass)
    output?.on('error', () => {})
    output?.once('close', endInput)
    input.on('error', () => {})
    input.once('close', endOutput)
    return {
      read: () => Buffer.alloc(0),
      countBytes: () => bytes,
      async closed() {
        if (!output || output.closed) return
        // A process that escaped the kill could keep the pipe open.
        const timer = setInterval(() => output.isPaused() || output.destroy(), DRAIN_MS)
        const closed = once(output, 'close')
          .catch(() => undefined)
          .finally(() => clearInterval(timer))
        // The reader may read the rest later, or never.
        if (!output.isPaused()) await Promise.race([closed, sleep(DRAIN_MS, undefined, { ref: false })])
      },
    }
  }
  return { collect, countBytes: () => bytes }
}
