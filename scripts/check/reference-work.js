import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/**
 * The same work in every run: parses the types of the browser as often as its argument says, and
 * prints the CPU seconds that one time took. `slowness.ts` compares them with a quiet machine.
 */
const require = createRequire(import.meta.url)
const ts = require('typescript')
const text = readFileSync(require.resolve('typescript/lib/lib.dom.d.ts'), 'utf8')
const times = Number(process.argv[2])
const before = process.cpuUsage()
for (let time = 0; time < times; time += 1) ts.createSourceFile('lib.dom.d.ts', text, ts.ScriptTarget.Latest)
const { user, system } = process.cpuUsage(before)
console.log((user + system) / 1e6 / times)
