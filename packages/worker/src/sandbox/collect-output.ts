import { once } from 'node:events'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { failAs } from './sandbox.ts'

interface Collector {
  read(): Buffer
  /** The number of bytes up to the limit. */
  countBytes(): number
  /** Resolves after the end of the output. Throws `SandboxFailure` if it could not be stored. */
  closed(): Promise<void>
}

/** Starts to read a stream. Calls `onMore` if it has more than `limitBytes`. */
export type Collect = (stream: Readable | null, limitBytes: number, onMore: () => void) => Collector

const DRAIN_MS = 1000
const FILE_MODE = 0o644
const NOT_STORED = 'the output could not be stored'

/** Keeps the first `keptBytes` of a stream in memory, or less: its limit. */
export function collectFirst(keptBytes: number): Collect {
  return (stream, limitBytes, onMore) => {
    const chunks: Buffer[] = []
    let bytes = 0
    stream?.on('data', (chunk: Buffer) => {
      if (bytes + chunk.length > limitBytes) onMore()
      const kept = chunk.subarray(0, Math.max(0, Math.min(keptBytes, limitBytes) - bytes))
      if (kept.length > 0) chunks.push(kept)
      bytes = Math.min(limitBytes, bytes + chunk.length)
    })
    stream?.on('error', () => {})
    return {
      read: () => Buffer.concat(chunks),
      countBytes: () => bytes,
      closed: () => waitForClose(stream, () => false),
    }
  }
}

/** Keeps a stream in memory, up to its limit. */
export const collectInMemory: Collect = collectFirst(Number.POSITIVE_INFINITY)

/** Opens a new file for one run's output. Throws `SandboxFailure`. */
export async function openOutputFile(path: string) {
  const file = await open(path, 'wx', FILE_MODE).catch(failAs(NOT_STORED))
  let bytes = 0
  let isWriting = false
  let failure: unknown
  let target: { stream: Readable; limitBytes: number; onMore: () => void } | undefined
  const write = async (part: Buffer) => {
    const kept = part.subarray(0, (target?.limitBytes ?? 0) - bytes)
    if (part.length > kept.length) target?.onMore()
    isWriting = true
    await file.writeFile(kept).catch((err: unknown) => {
      failure ??= err
      target?.onMore()
    })
    isWriting = false
    bytes += kept.length
    target?.stream.resume()
  }
  const collect: Collect = (stream, limitBytes, onMore) => {
    if (stream) target = { stream, limitBytes, onMore }
    stream?.on('error', () => {})
    return {
      read: () => Buffer.alloc(0),
      countBytes: () => bytes,
      async closed() {
        await waitForClose(stream, () => isWriting)
        if (failure !== undefined) failAs(NOT_STORED)(failure)
      },
    }
  }
  return {
    /** Writes a part of the output, and then resumes the stream. */
    take: (part: Buffer) => void write(part),
    collect,
    close: () => file.close(),
  }
}

/** Waits for the end of a stream. Destroys it after a second without data. */
async function waitForClose(stream: Readable | null, isBusy: () => boolean): Promise<void> {
  if (!stream || stream.closed) return
  // A process that escaped the kill could keep the pipe open.
  let wasBusy = true
  const timer = setInterval(() => {
    if (!wasBusy && !isBusy()) stream.destroy()
    wasBusy = isBusy()
  }, DRAIN_MS / 2)
  await once(stream, 'close')
    .catch(() => undefined)
    .finally(() => clearInterval(timer))
}
