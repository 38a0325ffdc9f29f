import { rm } from 'node:fs/promises'
import type { ProgramFiles } from './program.ts'
import type { RunRequest, RunResult, Sandbox } from './sandbox/sandbox.ts'

/** The runs of one program, one after another. */
export interface RunsAhead {
  /** Runs the program, while the sandboxes of its next runs are made. */
  run(files: ProgramFiles, next: readonly ProgramFiles[]): Promise<RunResult>
  /** Removes the sandboxes of runs that did not start. */
  close(): Promise<void>
}

/** A run whose program has not started. */
interface WaitingRun {
  start(): Promise<RunResult>
  cancel(): Promise<void>
}

/** Making a sandbox takes longer than most programs, so that it is made ahead. */
export function createRunsAhead(
  sandbox: Sandbox,
  makeRequest: (files: ProgramFiles) => RunRequest,
): RunsAhead {
  const waiting = new Map<ProgramFiles, WaitingRun>()
  const cancelAll = async (kept: readonly ProgramFiles[]) => {
    const cancelled = [...waiting].filter(([files]) => !kept.includes(files))
    for (const [files] of cancelled) waiting.delete(files)
    await Promise.all(cancelled.map(([, run]) => run.cancel()))
  }
  return {
    async run(files, next) {
      const own = waiting.get(files)
      waiting.delete(files)
      const result = own ? own.start() : sandbox.run(makeRequest(files))
      for (const other of next)
        if (!waiting.has(other)) waiting.set(other, holdRun(sandbox, makeRequest(other)))
      const [outcome] = await Promise.all([result, cancelAll(next)])
      return outcome
    },
    close: () => cancelAll([]),
  }
}

function holdRun(sandbox: Sandbox, request: RunRequest): WaitingRun {
  const cancelling = new AbortController()
  const signal = AbortSignal.any([cancelling.signal, ...(request.signal ? [request.signal] : [])])
  let start = () => {}
  const startWhen = new Promise<void>((resolve) => {
    start = resolve
  })
  const result = sandbox.run({ ...request, signal, startWhen })
  // Whoever starts it hears of a failure.
  result.catch(() => undefined)
  return {
    start() {
      start()
      return result
    },
    async cancel() {
      cancelling.abort()
      start()
      await result.catch(() => undefined)
      if (request.outputFile !== undefined) await rm(request.outputFile, { force: true })
    },
  }
}
