import type { Meter, Meters } from './meter.ts'
import type { Limits } from './sandbox.ts'
import type { Workspace } from './workspace.ts'

/** Opens a meter and the file of stdin for one run, and takes both away when the run has ended. */
export async function withRunResources<T>(
  options: { meters: Meters; limits: Limits; workspace: Workspace; stdin: string },
  run: (meter: Meter, stdinFile: string) => Promise<T>,
): Promise<T> {
  const meter = await options.meters.open(options.limits)
  try {
    const stdinFile = await options.workspace.createFile(options.stdin)
    return await run(meter, stdinFile).finally(() => options.workspace.remove(stdinFile))
  } finally {
    meter.close()
  }
}
