import { pathToFileURL } from 'node:url'
import type { Config } from '../../src/config/config.ts'
import { PackageProcesses } from '../../src/package-process/package-processes.ts'
import { CACHE } from '../setup/places.ts'

/** The bundle of `src/package-process.ts`, which `test/setup/package-process.ts` makes. */
export const PACKAGE_SCRIPT = pathToFileURL(`${CACHE}/package-process/package-process.js`)

const shared = new Map<string, PackageProcesses>()

/** The processes of all services of a worker with these limits: their start takes a second. */
export function packageProcessesOf(limits: Config['packages']): PackageProcesses {
  const key = JSON.stringify(limits)
  const found = shared.get(key) ?? new PackageProcesses({ limits, script: PACKAGE_SCRIPT })
  shared.set(key, found)
  return found
}
