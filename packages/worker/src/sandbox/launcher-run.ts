import { closeSync } from 'node:fs'
import type { Launcher, LauncherRequest } from './launcher.ts'
import type { OutputPipe } from './pipes.ts'
import { INPUT_DESCRIPTOR, OUTPUT_DESCRIPTOR, type Running, type StartRequest } from './start-run.ts'

export const FILTER_DESCRIPTOR = 4
const GATE_DESCRIPTOR = 8

/** A command prefix that waits for the gate, also in a sandbox. Without a worker it ends. */
export const WAIT_FOR_GATE = [
  ...['/bin/sh', '-c', `read -r _ <&${GATE_DESCRIPTOR} && exec "$@" ${GATE_DESCRIPTOR}<&-`, 'sh'],
]

/** A run that the launcher starts. */
export interface LauncherRun {
  readonly launcher: Launcher
  readonly request: Omit<LauncherRequest, 'descriptors'>
  /** Opened as `FILTER_DESCRIPTOR`. */
  readonly filterFile: string | undefined
}

/** See `Launch.start`. */
export function startByLauncher(
  { launcher, request, filterFile }: LauncherRun,
  { streams, meter, gatedStart }: StartRequest,
  errors: OutputPipe,
): Running {
  const ownPath = (descriptor: number) => `/proc/${process.pid}/fd/${descriptor}`
  const read = (number: number, path: string) => ({ number, path, mode: 'r' as const })
  const write = (number: number, path: string) => ({ number, path, mode: 'w' as const })
  const [input, output] = [ownPath(streams.stdin), ownPath(streams.stdout)]
  const descriptors = [
    write(2, ownPath(errors.writeEnd)),
    ...(filterFile === undefined ? [] : [read(FILTER_DESCRIPTOR, filterFile)]),
    ...(streams.isConnected
      ? [read(0, '/dev/null'), write(1, '/dev/null')]
      : [read(0, input), write(1, output)]),
    ...(streams.isConnected ? [read(INPUT_DESCRIPTOR, input), write(OUTPUT_DESCRIPTOR, output)] : []),
    ...(gatedStart ? [read(GATE_DESCRIPTOR, ownPath(gatedStart.gate.descriptor))] : []),
  ]
  const closeEnds = () => {
    closeSync(errors.writeEnd)
    streams.closeEnds()
  }
  try {
    return launcher.start({ ...request, descriptors }, (pid) => {
      closeEnds()
      if (pid !== undefined) meter.attach(pid)
    })
  } catch (err) {
    closeEnds()
    errors.output.destroy()
    throw err
  }
}
