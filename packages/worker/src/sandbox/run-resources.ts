import { closeSync } from 'node:fs'
import type { Meter, Meters } from './meter.ts'
import type { Limits } from './sandbox.ts'

/** Opens a meter and a descriptor for stdin, and closes both after the run. */
export async function withRunResources<T>(
  options: { meters: Meters; limits: Limits; openInput: () => Promise<number> },
  run: (meter: Meter, stdin: number) => Promise<T>,
): Promise<T> {
  const meter = await options.meters.open(options.limits)
  try {
    const stdin = await options.openInput()
    return await run(meter, stdin).finally(() => closeSync(stdin))
  } finally {
    meter.close()
  }
}
