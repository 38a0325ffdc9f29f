#!/usr/bin/env node
import { existsSync } from 'node:fs'

const main = new URL('../dist/main.js', import.meta.url)
if (existsSync(main)) await import(main.href)
else {
  console.error('The command line is not built yet. Run `npm run build` in the project first.')
  process.exitCode = 1
}
