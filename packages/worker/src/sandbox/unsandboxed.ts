import { startChild } from './child-run.ts'
import { findCommand } from './commands.ts'
import { execute } from './execute.ts'
import { makeLimitScript } from './limit-script.ts'
import { type Meters, makeJoinScript, withMeter } from './meter.ts'
import { runPair, type Start } from './pair.ts'
import type { Pipes } from './pipes.ts'
import type { RunCommand, RunResult, Sandbox } from './sandbox.ts'
import { CONNECT, type Launch } from './start-run.ts'
import { type Streams, withStreams } from './streams.ts'
import { checkSubfolders, makeSubfolder, withFiles } from './subfolders.ts'
import type { Workspace } from './workspace.ts'

interface UnsandboxedSetup {
  readonly workspace: Workspace
  readonly meters: Meters
  readonly pipes: Pipes
  readonly path: string
}

const STARTED = 'started'

/** Runs trusted programs as the worker's user, with limits but without isolation. */
export function createUnsandboxed(setup: UnsandboxedSetup): Sandbox {
  const { workspace, pipes, meters, path } = setup
  const start: Start = (command, streams, signal) => runUnsandboxed(setup, command, streams, signal)
  return {
    description: `no isolation; limits by ${meters.description}`,
    createFolder: () => workspace.createFolder(),
    removeFolder: (folder) => workspace.remove(folder),
    innerPath: (folder) => folder,
    makeSubfolder,
    hasCommand: (command) => findCommand(command, path) !== undefined,
    async run(request) {
      await request.startWhen
      return withStreams(request, { workspace, pipes, through: undefined }, (streams) =>
        start(request, streams, request.signal),
      )
    },
    runPair: (request) => runPair(request, pipes, start),
    async close() {
      await meters.settled()
      await workspace.close()
    },
  }
}

async function runUnsandboxed(
  { workspace, meters, pipes, path }: UnsandboxedSetup,
  command: RunCommand,
  streams: Streams,
  signal?: AbortSignal,
): Promise<RunResult> {
  const { limits, workingFolder = command.writable ? 'program' : 'scratch' } = command
  await checkSubfolders(command)
  const scratch = await workspace.createFolder()
  const run = withFiles(command, undefined, () =>
    withMeter(meters, limits, (meter) => {
      const script = [
        `{ ${makeJoinScript(meter)} && echo ${STARTED} >&3; } || exit 1`,
        makeLimitScript(limits),
        'exec "$@" 2>&5 3>&- 5>&-',
      ].join('\n')
      const connect = streams.isConnected ? CONNECT : []
      const child = {
        argv: ['/bin/sh', '-c', script, 'sh', ...connect, ...command.argv],
        cwd: workingFolder === 'program' ? command.folder : scratch,
        environment: {
          ...{ PATH: path, HOME: scratch, TMPDIR: scratch, LANG: 'C.UTF-8' },
          ...meter.environment,
          ...command.environment,
        },
      }
      const launch: Launch = {
        outerProcesses: 0,
        start: (request, errors) => startChild(child, request, errors),
        readStatus: (text) => (text.startsWith(STARTED) ? { exitCode: undefined } : undefined),
      }
      return execute({ launch, streams, limits, meter, pipes, intervalMs: meters.intervalMs, signal })
    }),
  )
  return run.finally(() => workspace.remove(scratch))
}
