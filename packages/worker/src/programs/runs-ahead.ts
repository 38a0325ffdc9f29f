import { rm } from 'node:fs/promises'
import type { RunRequest, RunResult, Sandbox } from '../sandbox/sandbox.ts'
import { createLatch } from '../shared/latch.ts'
import { trackCalls } from '../shared/track-calls.ts'

/** What a run reads and writes. */
export interface ProgramFiles {
  readonly stdin: RunRequest['stdin']
  /** Limit of stdout and of stderr. */
  readonly outputBytes: number
  /** The file for stdout; default: memory. */
  readonly outputFile?: string
}

/** Reads the files of the runs that will probably be next. */
export type ReadNext = () => Promise<readonly ProgramFiles[]>

export type RunsAhead = ReturnType<typeof createRunsAhead>

/**
 * The runs of one program, one after another. Making a sandbox takes longer than most programs
 * take, so it is made ahead.
 */
export function createRunsAhead(sandbox: Sandbox, makeRequest: (files: ProgramFiles) => RunRequest) {
  const waiting = new Map<ProgramFiles, ReturnType<typeof holdRun>>()
  let latest: ProgramFiles | undefined
  const { handler: cancel, settled } = trackCalls((run: ReturnType<typeof holdRun>) => run.cancel())
  const hold = (next: readonly ProgramFiles[]) => {
    for (const [files, run] of waiting) {
      if (next.includes(files)) continue
      waiting.delete(files)
      void cancel(run)
    }
    for (const files of next)
      if (!waiting.has(files)) waiting.set(files, holdRun(sandbox, makeRequest(files)))
  }
  return {
    /**
     * Runs the program, while the sandboxes of its next runs are made. A sandbox is used if the run
     * has the same object as in `readNext`.
     */
    async run(files: ProgramFiles, readNext: ReadNext): Promise<RunResult> {
      const own = waiting.get(files)
      waiting.delete(files)
      latest = files
      if (own?.hasFailed()) await own.cancel()
      const result = own && !own.hasFailed() ? own.start() : sandbox.run(makeRequest(files))
      // A failure of reading appears when the files are read for their own run.
      readNext().then(
        (next) => void (latest === files && hold(next)),
        () => undefined,
      )
      return result
    },
    /** Removes the sandboxes of runs that did not start. */
    async close(): Promise<void> {
      latest = undefined
      hold([])
      await settled()
    },
  }
}

/** A run whose sandbox is made, and whose program has not started. */
function holdRun(sandbox: Sandbox, request: RunRequest) {
  const cancelling = new AbortController()
  const signal = AbortSignal.any([cancelling.signal, ...(request.signal ? [request.signal] : [])])
  const start = createLatch()
  const result = sandbox.run({ ...request, signal, startWhen: start.opened })
  let hasFailed = false
  result.catch(() => {
    hasFailed = true
  })
  return {
    hasFailed: () => hasFailed,
    start() {
      start.open()
      return result
    },
    async cancel() {
      cancelling.abort()
      start.open()
      await result.catch(() => undefined)
      if (request.outputFile !== undefined) await rm(request.outputFile, { force: true })
    },
  }
}
