import { existsSync } from 'node:fs'

/** Where the browser is: CHROMIUM_PATH, or else the usual places; undefined where it is in none. */
export function findChromium(): string | undefined {
  return process.env.CHROMIUM_PATH || usualPlaces.find((path) => existsSync(path))
}

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
