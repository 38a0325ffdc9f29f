import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { withoutTestVariables } from './variables.ts'

/**
 * A busy machine may make tests slow, and must not make them fail. So eight processes that only
 * compute run beside `npm test`, three times, and beside the tests of the service on PostgreSQL.
 */
const COMPUTING = 8
const ROUNDS = 3

const compute = 'for (let sum = 0; ; sum += Math.sqrt(sum + 1));'
const computing = Array.from({ length: COMPUTING }, () =>
  spawn(process.execPath, ['-e', compute], { stdio: 'ignore' }),
)
process.once('exit', () => {
  for (const child of computing) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

const onServers = process.env
const onEmbedded = withoutTestVariables()
const npmTest = { command: ['npm', 'test'], env: onEmbedded }
const runs = [
  ...Array.from({ length: ROUNDS }, () => npmTest),
  { command: ['npx', 'vitest', 'run', '--project', 'service'], env: onServers },
]
let passed = 0
for (const { command, env } of runs) {
  const [name = '', ...args] = command
  const [code] = await once(spawn(name, args, { stdio: 'inherit', env }), 'exit')
  if (code === 0) passed += 1
}
console.log(`${passed} runs passed, ${runs.length - passed} failed`)
process.exit(passed === runs.length ? 0 : 1)
