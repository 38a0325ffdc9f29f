import { writeFile } from 'node:fs/promises'
import { availableParallelism, hostname } from 'node:os'
import { join } from 'node:path'
import { defaultLanguagesFile, readLanguages } from '@judge-data-layer/languages'
import { describe, expect, it } from 'vitest'
import { makeTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { ConfigurationError, readConfiguration, variables } from '../src/configuration.ts'
import { SUPERVISED_VARIABLES } from '../src/supervised.ts'

const enough = { JUDGE_PASSWORD: 'secret', AMQP_URL: 'amqp://guest:guest@127.0.0.1:5672' }
const NO_API_URL =
  "  JUDGE_API_URL must be the service's address without a user or password, such as http://127.0.0.1:5000"
const NO_AMQP_URL =
  '  AMQP_URL must be the address of RabbitMQ, such as amqp://user:password@host:5672, or of several hosts separated by commas'

describe('the configuration', () => {
  it('needs only the password and the address of RabbitMQ', async () => {
    expect(await readConfiguration({ ...enough, AMQP_QUEUE: '' }, [])).toEqual({
      ...{ judgePassword: 'secret', amqpUrl: enough.AMQP_URL, apiUrl: 'http://127.0.0.1:5000' },
      ...{ queue: 'submission_queue', queueType: 'classic', concurrency: availableParallelism() },
      ...{ sandboxPaths: [], unsandboxed: false, supervised: false, allowWeakIsolation: false },
      ...{ logLevel: 'info', metricsAddress: undefined },
      compile: { cpuSeconds: 30, wallSeconds: 60, memoryMib: 1024, folderMib: 256, folderFiles: 10_000 },
      firstUserId: 60_600,
      testCacheBytes: 2 ** 30,
      workerName: `${hostname()}-${process.pid}`,
      verdicts: 'known',
      languages: await readLanguages(defaultLanguagesFile),
    })
  })

  it('of a supervised worker needs no RabbitMQ and ignores its variables; a parent passes on all other settings', async () => {
    const supervised = { supervised: true, amqpUrl: undefined }
    for (const environment of [{ JUDGE_PASSWORD: 'secret' }, enough])
      expect(await readConfiguration(environment, ['--supervised'])).toMatchObject(supervised)
    const given = ['JUDGE_API_URL', 'JUDGE_PASSWORD', 'METRICS_PORT']
    const isPassedOn = (name: string) => !name.startsWith('AMQP_') && !given.includes(name)
    const settings = Object.keys(variables).filter(isPassedOn)
    const ofTheSystem = ['PATH', 'TMPDIR', 'JUDGE_LANGUAGES_FILE', 'LOG_LEVEL']
    expect(new Set(SUPERVISED_VARIABLES)).toEqual(new Set([...settings, ...ofTheSystem]))
  })

  it('reads every variable', async () => {
    const environment = {
      ...{ ...enough, JUDGE_API_URL: 'https://judge.example/api', LOG_LEVEL: 'trace' },
      ...{ AMQP_QUEUE: 'other', AMQP_QUEUE_TYPE: 'quorum' },
      ...{ WORKER_CONCURRENCY: '7', WORKER_NAME: 'judge one', WORKER_VERDICTS: 'all' },
      ...{ JUDGE_SANDBOX_PATHS: '/opt/kotlin:/opt/swift', JUDGE_LANGUAGES_FILE: defaultLanguagesFile },
      ...{ COMPILE_CPU_SECONDS: '1', COMPILE_WALL_SECONDS: '2', COMPILE_MEMORY_MIB: '3' },
      ...{ COMPILE_FOLDER_MIB: '4', COMPILE_FOLDER_FILES: '5' },
      ...{ JUDGE_SANDBOX_FIRST_USER_ID: '2000', JUDGE_TEST_CACHE_MIB: '0' },
    }
    expect(await readConfiguration(environment, ['--unsandboxed'])).toMatchObject({
      ...{ apiUrl: 'https://judge.example/api', logLevel: 'trace' },
      ...{ queue: 'other', queueType: 'quorum', concurrency: 7, workerName: 'judge one', verdicts: 'all' },
      ...{ sandboxPaths: ['/opt/kotlin', '/opt/swift'], unsandboxed: true },
      compile: { cpuSeconds: 1, wallSeconds: 2, memoryMib: 3, folderMib: 4, folderFiles: 5 },
      ...{ firstUserId: 2000, testCacheBytes: 0 },
    })
  })

  it('accepts --allow-weak-isolation, but not with --unsandboxed', async () => {
    const weak = await readConfiguration(enough, ['--allow-weak-isolation'])
    expect(weak).toMatchObject({ unsandboxed: false, allowWeakIsolation: true })
    expect(await readProblems({}, ['--allow-weak-isolation', '--unsandboxed'])).toEqual([
      '  remove --allow-weak-isolation: --unsandboxed turns all isolation off',
    ])
  })

  it.each([
    ['LOG_LEVEL', ['loud', 'INFO'], 'one of fatal, error, warn, info, debug, trace, silent'],
    ['WORKER_CONCURRENCY', ['0', '257'], 'a whole number from 1 to 256'],
    ['COMPILE_CPU_SECONDS', ['0', '3601'], 'a whole number from 1 to 3600'],
    ['COMPILE_WALL_SECONDS', ['0', '3601'], 'a whole number from 1 to 3600'],
    ['COMPILE_MEMORY_MIB', ['0', '1048577'], 'a whole number from 1 to 1048576'],
    ['COMPILE_FOLDER_MIB', ['0', '1048577'], 'a whole number from 1 to 1048576'],
    ['COMPILE_FOLDER_FILES', ['0', '10000001'], 'a whole number from 1 to 10000000'],
    ['JUDGE_TEST_CACHE_MIB', ['1048577'], 'a whole number from 0 to 1048576'],
  ])('refuses a %s that is out of range or not a whole number', async (name, outside, wanted) => {
    for (const text of [...outside, '-1', '1.5', '1e2', '0x10', ' 1', '1 MiB', '9'.repeat(400)])
      expect([text, await readProblems({ [name]: text })]).toEqual([text, [`  ${name} must be ${wanted}`]])
  })

  it('refuses a first user id that leaves too few ids for the slots', async () => {
    const read = (id: number) => {
      const environment = { WORKER_CONCURRENCY: '4', JUDGE_SANDBOX_FIRST_USER_ID: String(id) }
      return readConfiguration({ ...enough, ...environment }, [])
    }
    const wanted =
      'a whole number from 1 to 4294967286, and the user ids of 8 slots from there must not include 65534'
    for (const id of [0, 65_527, 65_534, 4_294_967_287])
      await expect(read(id)).rejects.toThrow(`  JUDGE_SANDBOX_FIRST_USER_ID must be ${wanted}`)
    for (const id of [1, 65_526, 65_535, 4_294_967_286])
      expect(await read(id)).toMatchObject({ firstUserId: id })
  })

  it('refuses unusable addresses and does not show their passwords', async () => {
    const AMQP_URL = 'amqp://judge:hush%@127.0.0.1'
    const environment = { JUDGE_API_URL: 'https://judge:hush@judge.example', AMQP_URL }
    expect(await readProblems(environment)).toEqual([NO_API_URL, NO_AMQP_URL])
  })

  it('names the language without commands of a file that is enough for the service only', async () => {
    const file = await writeTemporaryFile('[[language]]\nname = "Ada"\nversion = "2022"\nextension = "adb"\n')
    expect(await readProblems({ JUDGE_LANGUAGES_FILE: file })).toEqual([
      `  JUDGE_LANGUAGES_FILE must be a language file; ${file}: language[0] ("Ada") has no commands; a judge worker needs at least source and run`,
    ])
  })

  it('lists all invalid settings and no secret', async () => {
    const environment = {
      ...{ JUDGE_PASSWORD: '', AMQP_URL: 'http://wrong', JUDGE_API_URL: 'nowhere' },
      ...{ AMQP_QUEUE: 'x'.repeat(256), AMQP_QUEUE_TYPE: 'stream', WORKER_NAME: 'x'.repeat(256) },
      WORKER_VERDICTS: 'ALL',
      ...{ JUDGE_SANDBOX_PATHS: 'opt', JUDGE_LANGUAGES_FILE: '/nowhere.toml', COMPILE_CPU_SECONDS: 'long' },
    }
    expect(await readProblems(environment, ['--unsafe'])).toEqual([
      '  unknown arguments in --unsafe; use only --unsandboxed and --allow-weak-isolation',
      '  WORKER_NAME must be a name of at most 255 characters, none of them invisible',
      '  WORKER_VERDICTS must be known or all',
      "  JUDGE_PASSWORD is missing; it must be the service's JUDGE_PASSWORD",
      NO_API_URL,
      NO_AMQP_URL,
      '  AMQP_QUEUE must be a queue name of at most 255 bytes',
      '  AMQP_QUEUE_TYPE must be classic or quorum',
      '  JUDGE_SANDBOX_PATHS must be absolute paths, separated by colons',
      '  COMPILE_CPU_SECONDS must be a whole number from 1 to 3600',
      expect.stringContaining('JUDGE_LANGUAGES_FILE must be a language file; /nowhere.toml: cannot be read'),
    ])
  })
})

describe('a secret from a file', () => {
  it('is the same as the variable', async () => {
    const environment = {
      JUDGE_PASSWORD_FILE: await writeTemporaryFile('secret\n'),
      AMQP_URL_FILE: await writeTemporaryFile(`${enough.AMQP_URL}\n`),
    }
    expect(await readConfiguration(environment, [])).toEqual(await readConfiguration(enough, []))
  })

  it('is refused once, with all other problems and without its content', async () => {
    const environment = { JUDGE_PASSWORD: '', JUDGE_PASSWORD_FILE: '/nowhere', WORKER_CONCURRENCY: '0' }
    const file = await writeTemporaryFile('hush')
    expect(await readProblems({ ...environment, AMQP_URL_FILE: file })).toEqual([
      '  JUDGE_PASSWORD_FILE must be the path of a file with the secret (ENOENT)',
      '  AMQP_URL and AMQP_URL_FILE must not both be set',
      '  WORKER_CONCURRENCY must be a whole number from 1 to 256',
    ])
    expect(await readProblems({ AMQP_URL: '', AMQP_URL_FILE: file })).toEqual([NO_AMQP_URL])
  })
})

async function writeTemporaryFile(content: string): Promise<string> {
  const file = join(await makeTemporaryFolder(), 'file')
  await writeFile(file, content)
  return file
}

async function readProblems(environment: Record<string, string>, args: readonly string[] = []) {
  const reading = readConfiguration({ ...enough, ...environment }, args)
  const reason: unknown = await reading.catch((err: unknown) => err)
  if (!(reason instanceof ConfigurationError)) throw new Error('the configuration is valid')
  return reason.message.split('\n').slice(1)
}
