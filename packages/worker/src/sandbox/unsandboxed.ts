import { findCommand } from './commands.ts'
import { execute } from './execute.ts'
import { makeLimitScript } from './limit-script.ts'
import type { Meters } from './meter.ts'
import { withRunResources } from './run-resources.ts'
import type { RunRequest, Sandbox } from './sandbox.ts'
import type { Workspace } from './workspace.ts'

const STARTED = 'started'

/** Runs programs as the worker's own user, with limits but without isolation: for programs that are trusted. */
export function createUnsandboxed(workspace: Workspace, meters: Meters, path: string): Sandbox {
  return {
    description: `no isolation; memory and processes by ${meters.description}`,
    createFolder: () => workspace.createFolder(),
    removeFolder: (folder) => workspace.remove(folder),
    innerPath: (folder) => folder,
    hasCommand: (command) => findCommand(command, path) !== undefined,
    run: (request) => runUnsandboxed(request, workspace, meters, path),
    close: () => workspace.close(),
  }
}

async function runUnsandboxed(request: RunRequest, workspace: Workspace, meters: Meters, path: string) {
  const { limits, stdin, signal } = request
  const scratch = await workspace.createFolder()
  const run = withRunResources({ meters, limits, workspace, stdin }, (meter, stdinFile) => {
    const script = [
      `{ ${meter.enterScript} && echo ${STARTED} >&3; } || exit 1`,
      'exec 3>&-',
      makeLimitScript(limits, { processes: false }),
      'exec "$@"',
    ].join('\n')
    const launch = {
      argv: ['/bin/sh', '-c', script, 'sh', ...request.argv],
      cwd: request.writable ? request.folder : scratch,
      environment: {
        PATH: path,
        HOME: scratch,
        TMPDIR: scratch,
        LANG: 'C.UTF-8',
        ...meter.environment,
        ...request.environment,
      },
      readStatus: (text: string) => (text.startsWith(STARTED) ? { exitCode: undefined } : undefined),
    }
    return execute({ launch, stdinFile, limits, meter, intervalMs: meters.intervalMs, signal })
  })
  return run.finally(() => workspace.remove(scratch))
}
