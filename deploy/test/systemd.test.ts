import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect } from 'vitest'
import { missing, testUnless } from '../../packages/worker/test/support/requirements.ts'
import { makeServerFolder } from '../../tools/local-servers/server-process.ts'
import { productionNodeOptions } from '../../tools/local-servers/service.ts'

const FOLDER = fileURLToPath(new URL('../systemd', import.meta.url))
const UNITS = readdirSync(FOLDER).filter((name) => name.endsWith('.service'))
/** The exposure that `systemd-analyze security` may find, in tenths, from 0 to 100. */
const EXPOSURES: Readonly<Record<string, number>> = {
  'judge-service.service': 13,
  'judge-worker.service': 79,
  'judge.service': 79,
}

/**
 * The least `TimeoutStopSec`, in seconds, with a margin of five: the service and the worker end
 * within ten. The parent of both kills the worker after 15, and then the service after 15.
 */
const STOP_SECONDS: Readonly<Record<string, number>> = {
  'judge-service.service': 15,
  'judge-worker.service': 15,
  'judge.service': 35,
}

const test = testUnless(process.env.TEST_REQUIRE_ALL ? undefined : missing('systemd-analyze'))
const readUnit = (unit: string) => readFileSync(join(FOLDER, unit), 'utf8')

describe.each(UNITS)('the unit %s', (unit) => {
  test('has no fault that systemd finds', async () => {
    // systemd checks that the program exists; here Node may be elsewhere.
    const folder = await makeServerFolder('units')
    const file = join(folder.path, unit)
    writeFileSync(file, readUnit(unit).replace('=/usr/bin/node ', `=${process.execPath} `))
    const result = run(['verify', '--man=no', '--recursive-errors=no', file])
    folder.remove()
    expect(result).toEqual({ status: 0, output: '' })
  })

  test('is as restricted as before', async () => {
    const threshold = `--threshold=${EXPOSURES[unit]}`
    const { status, output } = run(['security', '--offline=true', threshold, join(FOLDER, unit)])
    expect([status, output.split('\n').at(-2)]).toMatchObject([0, expect.stringContaining(unit)])
  })

  test('waits longer for the end than the service and the worker take', async () => {
    const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(readUnit(unit))?.[1])
    expect(seconds).toBeGreaterThanOrEqual(STOP_SECONDS[unit] ?? Number.POSITIVE_INFINITY)
  })

  test('gives no secret to its environment', async () => {
    expect(readUnit(unit)).not.toMatch(/^Environment=(JWT_SIGNING_SECRET|JUDGE_PASSWORD|WEB_BRIDGE_SECRET)=/m)
  })
})

describe('the units of the service', () => {
  test('start Node with the options of npm start', async () => {
    const command = `ExecStart=/usr/bin/node ${productionNodeOptions().join(' ')} dist/src/main.js`
    expect(readUnit('judge-service.service')).toContain(`\n${command}\n`)
    expect(readUnit('judge.service')).toContain(`\n${command} --judge\n`)
  })

  test('read one file of variables', async () => {
    for (const unit of ['judge-service.service', 'judge.service'])
      expect(valuesOf(unit, 'EnvironmentFile')).toEqual(['/etc/judge-data-layer/service.env'])
  })

  test('keep the embedded database in the same folder, which only the service’s user can enter', async () => {
    const folder = '%S/judge-data-layer'
    for (const unit of ['judge-service.service', 'judge.service'])
      expect(valuesOf(unit, 'Environment')).toContain(`DATA_DIR=${folder}/database`)
    expect(valuesOf('judge-service.service', 'StateDirectory')).toEqual(['judge-data-layer'])
    // A StateDirectory of a unit without User= belongs to root.
    expect(valuesOf('judge.service', 'StateDirectory')).toEqual([])
    // With the hyphen: the command before the start may still have to make it.
    expect(valuesOf('judge.service', 'ReadWritePaths').join(' ').split(' ')).toContain(`-${folder}`)
    expect(await makeFolder('judge.service')).toEqual({ mode: 0o700, uid: process.getuid?.() })
  })
})

/** All values of a key of the unit. */
function valuesOf(unit: string, key: string): string[] {
  return [...readUnit(unit).matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value)
}

/** Runs the command before the start of the unit, for this process's user in a folder of its own. */
async function makeFolder(unit: string) {
  const [command = ''] = valuesOf(unit, 'ExecStartPre')
  expect(command).toMatch(/^\+\/usr\/bin\/install .*-o judge -g judge /)
  const folder = await makeServerFolder('units')
  const [uid, gid] = [process.getuid?.(), process.getgid?.()]
  const words = command.replace('-o judge -g judge', `-o ${uid} -g ${gid}`).replace('%S', folder.path)
  const [program = '', ...args] = words.slice(1).split(' ')
  execFileSync(program, args)
  const made = statSync(join(folder.path, 'judge-data-layer'))
  folder.remove()
  return { mode: made.mode & 0o777, uid: made.uid }
}

/** Its messages are on standard error, also with the status 0. */
function run(args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}
