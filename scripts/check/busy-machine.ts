import { spawn, spawnSync } from 'node:child_process'

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

const {
  TEST_DATABASE_URL: _database,
  TEST_AMQP_URL: _broker,
  TEST_REQUIRE_ALL: _all,
  TEST_MODELS: _models,
  ...embedded
} = process.env
const passed = [
  ...Array.from({ length: ROUNDS }, () => spawnSync('npm', ['test'], { stdio: 'inherit', env: embedded })),
  spawnSync('npx', ['vitest', 'run', '--project', 'service'], { stdio: 'inherit' }),
].filter(({ status }) => status === 0).length
console.log(`${passed} runs passed, ${ROUNDS + 1 - passed} failed`)
process.exit(passed === ROUNDS + 1 ? 0 : 1)
