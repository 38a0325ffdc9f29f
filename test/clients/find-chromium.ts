import { existsSync } from 'node:fs'

/** Returns CHROMIUM_PATH, or else the first of the usual paths that exists. */
export function findChromium(): string | undefined {
  return process.env.CHROMIUM_PATH || usualPaths.find((path) => existsSync(path))
}

const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
