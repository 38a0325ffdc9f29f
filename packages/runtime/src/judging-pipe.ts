import type { ChildProcess } from 'node:child_process'

/**
 * Messages between a service and the worker that judges for it, when one parent has started both
 * (`npm start -- --judge`). The parent passes them on through the IPC pipes of its children.
 */

/** How often a child sends `alive`. */
export const ALIVE_INTERVAL_MS = 2000

export type PipeMessage =
  /** From a child to the parent: it is not frozen. */
  | { readonly kind: 'alive' }
  /** From a child to the parent: why it ends now. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** From the worker. `settled` acknowledges a delivery, or gives it back with a reason. */
  | { readonly kind: 'ready'; readonly concurrency: number }
  | { readonly kind: 'settled'; readonly delivery: number; readonly failure?: string }
  | { readonly kind: 'stopping' }
  /** From the service: one message of its queue. */
  | { readonly kind: 'delivery'; readonly delivery: number; readonly body: unknown }
  /** From the service to the parent, once it accepts requests. */
  | { readonly kind: 'listening'; readonly url: string }
  /** From the parent to the service: why the worker's process has ended, unless it was stopped. */
  | { readonly kind: 'worker ended'; readonly worker: string; readonly failure?: string }

/** One end of a pipe. */
export interface Pipe {
  /** Resolves once the message is written, also if the other end has gone: see `onEnd`. */
  send(message: PipeMessage): Promise<void>
  onMessage(listener: (message: PipeMessage) => void): void
  /** Calls `listener` when the other end has gone. */
  onEnd(listener: () => void): void
}

const KINDS = {
  ...{ alive: true, ready: true, settled: true, stopping: true, delivery: true, listening: true },
  ...{ failed: true, 'worker ended': true },
} satisfies Record<PipeMessage['kind'], true>

/**
 * A child's end of the pipe to its parent, which hears from now on that the child is alive. Throws
 * if it was started without one.
 */
export function pipeToParent(): Pipe {
  if (process.send === undefined) throw new Error('--supervised is only for children of --judge')
  const pipe = openPipe(process)
  setInterval(() => pipe.send({ kind: 'alive' }), ALIVE_INTERVAL_MS).unref()
  return pipe
}

/** This process's end of the pipe to a child that it has started with `ipc`, or to its parent. */
export function openPipe(end: ChildProcess | NodeJS.Process): Pipe {
  return {
    send: (message) =>
      new Promise((resolve) => {
        if (!end.connected) resolve()
        else end.send?.(message, undefined, undefined, () => resolve())
      }),
    onMessage: (listener) => {
      end.on('message', (message: unknown) => {
        if (isPipeMessage(message)) listener(message)
      })
    },
    onEnd: (listener) => void end.once('disconnect', listener),
  }
}

/** Both ends are of one release; other libraries may also use the channel. */
function isPipeMessage(message: unknown): message is PipeMessage {
  return Object.hasOwn(KINDS, String(Object(message).kind))
}
