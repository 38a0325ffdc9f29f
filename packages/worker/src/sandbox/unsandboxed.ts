import { findCommand } from './commands.ts'
import { execute } from './execute.ts'
import { makeLimitScript } from './limit-script.ts'
import type { Meters } from './meter.ts'
import type { OutputPipes } from './output-pipes.ts'
import { withRunResources } from './run-resources.ts'
import type { RunRequest, RunResult, Sandbox } from './sandbox.ts'
import type { Workspace } from './workspace.ts'

interface UnsandboxedSetup {
  readonly workspace: Workspace
  readonly meters: Meters
  readonly pipes: OutputPipes
  /** The search path of commands. */
  readonly path: string
}

const STARTED = 'started'

/** Runs trusted programs as the worker's user, with limits but without isolation. */
export function createUnsandboxed(setup: UnsandboxedSetup): Sandbox {
  const { workspace, meters, path } = setup
  return {
    description: `no isolation; limits by ${meters.description}`,
    createFolder: () => workspace.createFolder(),
    removeFolder: (folder) => workspace.remove(folder),
    innerPath: (folder) => folder,
    hasCommand: (command) => findCommand(command, path) !== undefined,
    run: (request) => runUnsandboxed(request, setup),
    async close() {
      await meters.settled()
      await workspace.close()
    },
  }
}

async function runUnsandboxed(request: RunRequest, setup: UnsandboxedSetup): Promise<RunResult> {
  const { workspace, meters, pipes, path } = setup
  const { limits, stdin, signal } = request
  const scratch = await workspace.createFolder()
  const openInput = () => workspace.openInput(stdin)
  const run = withRunResources({ meters, limits, openInput }, (meter, input) => {
    const script = [
      `{ ${meter.enterScript} && echo ${STARTED} >&3; } || exit 1`,
      makeLimitScript(limits),
      'exec "$@" 2>&5 3>&- 5>&-',
    ].join('\n')
    const launch = {
      argv: ['/bin/sh', '-c', script, 'sh', ...request.argv],
      cwd: request.writable ? request.folder : scratch,
      environment: {
        ...{ PATH: path, HOME: scratch, TMPDIR: scratch, LANG: 'C.UTF-8' },
        ...meter.environment,
        ...request.environment,
      },
      readStatus: (text: string) => (text.startsWith(STARTED) ? { exitCode: undefined } : undefined),
    }
    return execute({ launch, stdin: input, limits, meter, pipes, intervalMs: meters.intervalMs, signal })
  })
  return run.finally(() => workspace.remove(scratch))
}
