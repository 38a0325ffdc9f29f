import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the project. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What test runs keep for the next one. */
export const CACHE = join(ROOT, 'node_modules/.cache/judge-data-layer')
