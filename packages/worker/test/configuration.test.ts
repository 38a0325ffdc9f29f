import { availableParallelism } from 'node:os'
import { defaultLanguagesFile, readLanguages } from '@judge-data-layer/languages'
import { describe, expect, it } from 'vitest'
import { readConfiguration } from '../src/configuration.ts'

const enough = { JUDGE_PASSWORD: 'secret', AMQP_URL: 'amqp://guest:guest@127.0.0.1:5672' }

describe('the configuration', () => {
  it('needs no more than the password and the broker', async () => {
    expect(await readConfiguration({ ...enough, AMQP_QUEUE: '' }, [])).toEqual({
      judgePassword: 'secret',
      amqpUrl: enough.AMQP_URL,
      apiUrl: 'http://127.0.0.1:5000',
      queue: 'submission_queue',
      queueType: 'classic',
      concurrency: availableParallelism(),
      sandboxPaths: [],
      unsandboxed: false,
      languages: await readLanguages(defaultLanguagesFile),
    })
  })

  it('takes every variable', async () => {
    const environment = {
      ...enough,
      JUDGE_API_URL: 'https://judge.example/api',
      AMQP_QUEUE: 'other',
      AMQP_QUEUE_TYPE: 'quorum',
      WORKER_CONCURRENCY: '7',
      JUDGE_SANDBOX_PATHS: '/opt/kotlin:/opt/swift',
      JUDGE_LANGUAGES_FILE: defaultLanguagesFile,
    }
    expect(await readConfiguration(environment, ['--unsandboxed'])).toMatchObject({
      apiUrl: 'https://judge.example/api',
      queue: 'other',
      queueType: 'quorum',
      concurrency: 7,
      sandboxPaths: ['/opt/kotlin', '/opt/swift'],
      unsandboxed: true,
    })
  })

  it('names everything that is wrong, at once, and no secret', async () => {
    const environment = {
      AMQP_URL: 'http://wrong',
      JUDGE_API_URL: 'nowhere',
      AMQP_QUEUE: 'x'.repeat(256),
      AMQP_QUEUE_TYPE: 'stream',
      WORKER_CONCURRENCY: '0',
      JUDGE_SANDBOX_PATHS: 'opt',
      JUDGE_LANGUAGES_FILE: '/nowhere.toml',
    }
    const reason: unknown = await readConfiguration(environment, ['--unsafe']).catch((err: unknown) => err)
    expect(String(reason).split('\n').slice(1)).toEqual([
      '  the arguments are --unsafe; the only one known is --unsandboxed',
      '  JUDGE_PASSWORD is missing; it must be the password that the service has under the same name',
      "  JUDGE_API_URL must be the service's address, such as http://127.0.0.1:5000",
      '  AMQP_URL must be the address of RabbitMQ, such as amqp://user:password@host:5672',
      "  AMQP_QUEUE must be a queue's name of at most 255 bytes",
      '  AMQP_QUEUE_TYPE must be classic or quorum',
      '  WORKER_CONCURRENCY must be a whole number from 1 to 256',
      '  JUDGE_SANDBOX_PATHS must be absolute paths with colons between',
      expect.stringMatching(
        /^ {2}JUDGE_LANGUAGES_FILE must be a language file; \/nowhere\.toml: cannot be read/,
      ),
    ])
  })
})
