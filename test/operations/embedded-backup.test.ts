import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { findCommand, runCommand } from './documented-commands.ts'

const account = { name: 'Root', email: 'root@example.org', password: 'a password' }

async function ask({ url }: ServiceProcess, path: string, token = '', body?: unknown) {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: token, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  expect(response.status, text).toBeLessThan(300)
  return text
}

describe('the folder of the embedded database, copied while the service is stopped', () => {
  it('starts as it was: the same bytes, a login, and a new submission', { timeout: 90_000 }, async () => {
    const folder = await makeTemporaryFolder()
    const service = await startServiceProcess({ DATA_DIR: join(folder, 'data') })
    const { token, id: user_id } = JSON.parse(await ask(service, '/v1/basic_register', '', account))
    const problem = {
      ...{ title: 'Echo', identifier: 'echo', prompt: 'Say it again.', difficulty: 'EASY' },
      test_cases: [{ input: '1', expected_output: '1' }],
    }
    const { id: problem_id } = JSON.parse(await ask(service, '/v1/problems', token, problem))
    const [language] = JSON.parse(await ask(service, '/v1/languages'))
    const submission = { user_id, problem_id, language_id: language.id, source_code: 'echo' }
    const { id } = JSON.parse(await ask(service, '/v1/submissions', token, submission))
    const paths = ['/v1/problems', '/v1/languages', '/v1/users', `/v1/submissions/${id}`]
    const read = async (from: ServiceProcess) => {
      const texts: string[] = []
      for (const path of paths) texts.push(await ask(from, path, token))
      return texts
    }
    const before = await read(service)
    expect(await service.end('SIGTERM')).toBe(0)

    await runCommand(findCommand('cp'), folder, { DATA_DIR: join(folder, 'data') })
    // Whatever the copy answers, it has of its own.
    await rename(join(folder, 'data'), join(folder, 'lost'))
    const copied = await startServiceProcess({ DATA_DIR: join(folder, 'judge-data-copy') })
    expect(await read(copied)).toEqual(before)
    await ask(copied, '/v1/basic_login', '', { email: account.email, password: account.password })
    await ask(copied, '/v1/submissions', token, submission)
    expect(await copied.end('SIGTERM')).toBe(0)
  })
})
