import { defaultLanguagesFile, readLanguages } from '@judge-data-layer/languages'
import { startWorker } from '@judge-data-layer/worker'
import { expect, onTestFinished } from 'vitest'
import yazl from 'yazl'
import { testUnless } from '../../packages/worker/test/support/requirements.ts'
import { missingSandbox } from '../../packages/worker/test/support/sandboxes.ts'
import { ROOT } from '../../tools/local-servers/submitter.ts'
import { JUDGE_PASSWORD } from '../support/app.ts'
import { freshDatabaseVariables } from '../support/process-database.ts'
import { startProductionService } from '../support/production-service.ts'
import { until } from '../support/until.ts'

const testSandbox = testUnless(await missingSandbox('bubblewrap'))

/** The package has no time limit; the input of the last test case is too large. */
const FILES: Readonly<Record<string, string>> = {
  'problem.yaml':
    'problem_format_version: 2025-09\nname: Double\nuuid: 6f2c1d6e-3b7a-4f0e-9a53-0c8d1f2e4b7a\n',
  'statement/problem.en.md': 'Print twice the number.',
  'data/sample/1.in': '1\n',
  'data/sample/1.ans': '2\n',
  'data/secret/2.in': '7\n',
  'data/secret/2.ans': '14\n',
  'data/secret/3.in': '2000\n',
  'data/secret/3.ans': '4000\n',
  'submissions/accepted/right.py': 'print(2 * int(input()))\n',
  'submissions/wrong_answer/wrong.py': 'print(2 * min(int(input()), 1000))\n',
  'submissions/run_time_error/crash.py': 'n = int(input())\nprint(2 * n // (n < 1000))\n',
  'submissions/time_limit_exceeded/slow.py': 'while int("7") > 1:\n    pass\n',
  'submissions/accepted/really-wrong.py': 'print(2)\n',
  'input_validators/check.py': `import sys
n = int(sys.stdin.read())
if n > 1000:
    sys.exit(f'{n} is too large')
sys.exit(42)
`,
  'input_validators/fine/build': '#!/bin/sh\ncp "$(dirname "$0")/check.sh" "$(dirname "$0")/run"\n',
  'input_validators/fine/check.sh': '#!/bin/sh\nexit 42\n',
  'answer_validators/even.py': `import sys
n = int(open(sys.argv[1]).read())
sys.exit(42 if int(sys.stdin.read()) == 2 * n else 43)
`,
}

async function zip(files: typeof FILES): Promise<Buffer> {
  const file = new yazl.ZipFile()
  for (const [path, text] of Object.entries(files)) file.addBuffer(Buffer.from(text), path)
  file.end()
  const parts: Buffer[] = []
  for await (const part of file.outputStream) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

async function openService() {
  const variables = { BASIC_REGISTRATION_ENABLED: 'true', ADMIN_EMAILS: ROOT.email }
  const service = await startProductionService({ ...variables, ...(await freshDatabaseVariables()) })
  if (service.localQueue === undefined) throw new Error('the queue is not in this process')
  const worker = await startWorker({
    ...{ apiUrl: service.url, judgePassword: JUDGE_PASSWORD, source: service.localQueue, concurrency: 2 },
    languages: await readLanguages(defaultLanguagesFile),
    sandbox: 'bubblewrap',
  })
  onTestFinished(() => worker.stop())
  const { token } = (await service.request('POST', '/v1/basic_register', { body: ROOT })).body
  return {
    async import(files: typeof FILES): Promise<number> {
      const response = await fetch(`${service.url}/v1/problem_packages`, {
        method: 'POST',
        headers: { authorization: token, 'content-type': 'application/zip' },
        body: new Uint8Array(await zip(files)),
      })
      const body: { problem_id: number; message?: string } = JSON.parse(await response.text())
      expect([response.status, body.message]).toEqual([201, undefined])
      return body.problem_id
    },
    read: async (path: string) => (await service.request('GET', path, { token })).body,
    post: async (path: string) => (await service.request('POST', path, { token })).body,
  }
}

testSandbox('a package is verified by a worker, which gives it its time limit', async () => {
  const service = await openService()
  const problem = await service.import(FILES)
  const url = `/v1/problem_packages/${problem}/verifications`
  const { id } = await service.post(url)
  const report = await until(async () => {
    const read = await service.read(`${url}/${id}`)
    expect(read.status).toBe('DONE')
    return read
  }, 500)
  const { seconds } = report.time_limit
  expect(report).toMatchObject({ agrees: false, time_limit: { provisional: false, computed: seconds } })
  const programs = report.programs.map(
    ({ path, status, agrees }: Record<string, unknown>) => `${path} ${status} ${agrees}`,
  )
  expect(programs).toEqual([
    'submissions/accepted/really-wrong.py WRONG_ANSWER false',
    'submissions/accepted/right.py ACCEPTED true',
    'submissions/run_time_error/crash.py RUNTIME_ERROR true',
    'submissions/time_limit_exceeded/slow.py TIME_LIMIT_EXCEEDED true',
    'submissions/wrong_answer/wrong.py WRONG_ANSWER true',
  ])
  expect(report.validators).toMatchObject([
    {
      ...{ path: 'input_validators/check.py', status: 'REJECTED', agrees: false },
      rejected: [{ test_case: 'secret/3', message: expect.stringContaining('2000 is too large') }],
    },
    { path: 'input_validators/fine', status: 'ACCEPTED', agrees: true },
    { path: 'answer_validators/even.py', status: 'ACCEPTED', agrees: true },
  ])
  expect(await service.read(`/v1/problems/${problem}`)).toMatchObject({
    ...{ execution_timeout: seconds, accept_timeout: 2 * seconds + 1 },
  })
})
