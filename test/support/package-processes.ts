import { pathToFileURL } from 'node:url'
import type { Config } from '../../src/config/config.ts'
import { PackageProcesses } from '../../src/package-process/package-processes.ts'
import { CACHE } from '../setup/places.ts'

const scriptOf = (name: string) => pathToFileURL(`${CACHE}/package-process/${name}.js`)

/** Bundles, which `test/setup/package-process.ts` makes, by their sources. */
export const PACKAGE_SCRIPTS = {
  'src/package-process.ts': scriptOf('package-process'),
  'test/support/hostile-reader.ts': scriptOf('hostile-reader'),
}

const shared = new Map<string, PackageProcesses>()

/** The processes of all services of a worker with these limits: their start takes a second. */
export function packageProcessesOf(limits: Config['packages']): PackageProcesses {
  const key = JSON.stringify(limits)
  const script = PACKAGE_SCRIPTS['src/package-process.ts']
  const found = shared.get(key) ?? new PackageProcesses({ limits, script })
  shared.set(key, found)
  return found
}
