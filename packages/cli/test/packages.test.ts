import { randomUUID } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { problemBody } from '../../../test/support/problems.ts'
import { readZip } from '../../../test/support/read-zip.ts'
import { smallPackage } from '../../../test/support/small-package.ts'
import { makeTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import * as troubles from '../../client/test/support/troubled-server.ts'
import { makeContestFolder, useAdmin } from './support/admin.ts'
import { fails, prints } from './support/command-line.ts'
import { writeFiles } from './support/write-files.ts'

const admin = await useAdmin({ PACKAGE_LIMIT_BYTES: '1000000', PASSWORD_MIN_LENGTH: '24' })
const { run, runJson, startProxy } = admin

async function writePackage(name: string, changes: Readonly<Record<string, string>> = {}): Promise<string> {
  const path = join(await makeTemporaryFolder(), name)
  const yaml = `${makeYaml(`The Problem ${name}`, UUID)}limits:\n  time_limit: 1\n`
  await writeFiles(path, Object.fromEntries(smallPackage({ 'problem.yaml': yaml, ...changes })))
  return path
}

const makeYaml = (name: string, uuid: string) =>
  `problem_format_version: 2025-09\nname: ${name}\nuuid: ${uuid}\n`
const UUID = '5ca6ba5b-9d8a-4c5d-8b47-8f1c2cf2f6a1'
const readProblem = (id: number) => admin.root.get(`/v1/problems/${id}`)

async function writeZip(content: string | Buffer): Promise<string> {
  const file = join(await makeTemporaryFolder(), 'sum.zip')
  await writeFile(file, content)
  return file
}

/** Sets how long `fetch` waits for the head of a response until the end of a test, not 300 s. */
function shortenHeaderTimeout(headersTimeout: number): void {
  // Node makes its dispatcher when it loads `fetch`.
  Reflect.construct(Request, ['http://127.0.0.1'])
  const dispatcher = Symbol.for('undici.globalDispatcher.1')
  const usual: object = Reflect.get(globalThis, dispatcher)
  Reflect.set(globalThis, dispatcher, Reflect.construct(Object(usual.constructor), [{ headersTimeout }]))
  onTestFinished(() => void Reflect.set(globalThis, dispatcher, usual))
}

describe('an import', () => {
  it('of a folder creates a private problem and tells what was imported; its progress is for terminals only', async () => {
    const path = await writePackage('sum', { 'attachments/note.txt': 'Note\n' })
    const { exitCode, stdout, stderr } = await run(['problem', 'import', path])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toMatch(/sum: problem \d+ \(2 test cases, 1 statement, /)
    const id = Number(/problem (\d+)/.exec(stdout)?.[1])
    expect((await run(['problem', 'show', String(id)])).stdout).toMatch(/^Files .*note\.txt \(5 B\)/m)
    const fields = { title: 'The Problem sum', public: false, difficulty: 'MEDIUM' }
    expect(await readProblem(id)).toMatchObject(fields)
    const shown = await run(['problem', 'import', path], { terminals: ['stderr'] })
    expect(shown.stderr).toContain('Uploading [')
    expect(shown.stdout).not.toContain('Uploading')
  })

  it('takes difficulty and visibility from the command line, and a missing time limit as provisional', async () => {
    const path = await writePackage('unlimited', { 'problem.yaml': makeYaml('Unlimited', UUID) })
    const argv = ['problem', 'import', path, '--public', '--difficulty', 'very easy']
    const [{ problem_id }] = await runJson(argv)
    expect(await readProblem(problem_id)).toMatchObject({ public: true, difficulty: 'VERY EASY' })
    const { stdout } = await run(['problem', 'show', String(problem_id)])
    expect(stdout).toMatch(/^Time limit +\d+\.\d\d s \(provisional\)$/m)
  })

  it('of a faulty package shows the message of the service, and imports the others', async () => {
    const good = await writePackage('good')
    const bad = await writePackage('bad', { 'data/secret/2.in': '5 5\n' })
    const argv = ['problem', 'import', good, bad, await writePackage('fine')]
    const { exitCode, stdout, stderr } = await run(argv)
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(
      /good: problem \d+ .*\n(.*\n)*.*fine: problem \d+ .*\n(.*\n)*2 of 3 packages imported\n$/,
    )
    expect(stderr).toMatch(/^error: .*bad: data\/secret\/2\.in: /)
    const mixed = [good, bad, '/nowhere/sum.zip', await makeTemporaryFolder()]
    expect(await runJson(['problem', 'import', ...mixed], {}, 1)).toMatchObject([
      { path: good, problem_id: expect.any(Number), imported: { test_cases: 2 } },
      { path: bad, error: { code: '400', message: expect.stringContaining('data/secret/2.in') } },
      { path: mixed[2], error: { code: 'USAGE', message: `${mixed[2]}: there is no such file or folder.` } },
      { path: mixed[3], error: { code: 'USAGE', message: `${mixed[3]}: has no files.` } },
    ])
  })

  it('replaces a problem that keeps its id', async () => {
    const [{ problem_id }] = await runJson(['problem', 'import', await writePackage('old')])
    const next = await writePackage('new')
    const argv = ['problem', 'import', '--replace', String(problem_id), next]
    expect(await runJson(argv)).toMatchObject([{ path: next, problem_id }])
    expect((await run(argv)).stdout).toMatch(/^"The Problem new" is now "The Problem new"\.\n/)
    expect(await readProblem(problem_id)).toMatchObject({ title: 'The Problem new' })
  })

  it('of a zip above the limit is refused before the upload', async () => {
    const file = await writeZip(Buffer.alloc(50_000_000))
    const lengths: (string | undefined)[] = []
    const refuse: troubles.Trouble = (response) => {
      lengths.push(response.req.headers['content-length'])
      troubles.refuseWith(413, 'PAYLOAD_TOO_LARGE')(response)
    }
    const proxy = await startProxy({ onTestFinished }, refuse)
    const { stderr } = await run(['problem', 'import', file, '--url', proxy.url])
    expect({ stderr, lengths }).toEqual({ stderr: `error: ${file}: Refused\n`, lengths: ['50000000'] })
  })

  it('without a service is exit code 3', async () => {
    const argv = ['problem', 'import', await writePackage('sum'), '--url', 'http://127.0.0.1:65535']
    expect(await run(argv)).toMatchObject(fails(3, 'connect ECONNREFUSED 127.0.0.1:65535'))
  })

  it.each([
    ['of Node', troubles.neverRespond],
    ['of a proxy', troubles.respondWith(504, { 'content-type': 'text/html' }, 'Gateway Timeout')],
  ])('that takes longer than the time limit %s may be there all the same', async (_, trouble) => {
    const proxy = await startProxy({ onTestFinished }, trouble)
    shortenHeaderTimeout(100)
    const path = await writePackage('late')
    const { exitCode, stdout, stderr } = await run(['problem', 'import', path, '--url', proxy.url])
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toBe(
      `error: ${path}: The service did not respond in time.\nIt may have imported the package. Look before you try again: judge problem list\n`,
    )
  })

  it('of a package that another problem was made of says how to replace that problem', async () => {
    const path = await writePackage('known', { 'problem.yaml': makeYaml('Known', randomUUID()) })
    const [{ problem_id }] = await runJson(['problem', 'import', path])
    const { exitCode, stdout } = await run(['problem', 'import', path])
    expect(exitCode).toBe(0)
    const [, added] = /problem (\d+)/.exec(stdout) ?? []
    expect(stdout.split('\n').slice(1)).toEqual([
      expect.stringMatching(`^  warning: problem.yaml, line 3: .*problem ${problem_id} `),
      `  To replace problem ${problem_id} instead: judge problem import --replace ${problem_id} ${path}`,
      `  To delete the new problem: judge problem delete ${added}`,
      '',
    ])
    const replacing = await run(['problem', 'import', '--replace', String(problem_id), path])
    expect(replacing.stdout).toContain('warning: problem.yaml, line 3: ')
    expect(replacing.stdout).not.toContain('To replace')
  })

  it('of more packages than it uploads at once keeps their order', async () => {
    const names = Array.from({ length: 5 }, (_, i) => `many${i}`)
    const paths = await Promise.all(names.map((name) => writePackage(name)))
    const results: { path: string; problem_id: number }[] = await runJson(['problem', 'import', ...paths])
    expect(results.map(({ path }) => path)).toEqual(paths)
    expect(new Set(results.map(({ problem_id }) => problem_id)).size).toBe(5)
  })
})

it('a verification that takes longer than --timeout goes on, and can be read later', async () => {
  const [{ problem_id }] = await runJson(['problem', 'import', await writePackage('slow')])
  const argv = ['problem', 'verify', String(problem_id), '--timeout', '0.01']
  const { exitCode, stderr } = await run(argv)
  expect(exitCode).toBe(1)
  const [, id = ''] = /^Verification of \d+: (\S+)$/m.exec(stderr) ?? []
  expect(stderr).toContain(
    `The verification goes on: judge problem verify ${problem_id} --verification ${id}\n`,
  )
  expect((await run([...argv, '--verification', id])).stderr).toContain(id)
})

describe('an export', () => {
  let id: number
  beforeAll(async () => {
    const body = problemBody({ title: 'Exported', identifier: 'exported' })
    id = (await admin.root.post('/v1/problems', body)).id
  })

  it('to a folder has the name that the service gives it', async () => {
    const folder = await makeTemporaryFolder()
    const { file, bytes } = await runJson(['problem', 'export', 'exported', '-o', folder])
    expect(file).toBe(join(folder, 'exported.zip'))
    const content = await readFile(file)
    expect(content).toHaveLength(bytes)
    const texts = Object.entries(await readZip(content)).filter(([name]) => name.endsWith('problem.yaml'))
    expect(texts).toEqual([[expect.any(String), expect.stringContaining('Exported')]])
    expect(await readdir(folder)).toEqual(['exported.zip'])
    const stderr = `error: ${file} exists already. To replace it: -o ${file}\n`
    expect(await run(['problem', 'export', 'exported', '-o', folder])).toMatchObject({ exitCode: 2, stderr })
  })

  it('to a file replaces it, and imports as an equal problem', async () => {
    const file = await writeZip('old')
    const saved = prints(/^Saved problem \d+ to .*sum\.zip \(.*B\)\.\n$/)
    expect(await run(['problem', 'export', String(id), '-o', file])).toMatchObject(saved)
    const [{ problem_id }] = await runJson(['problem', 'import', file])
    expect(await readProblem(problem_id)).toMatchObject({ title: 'Exported', difficulty: 'EASY' })
  })

  it('to a folder that does not exist is a usage error; of an unknown problem it leaves no file', async () => {
    const noFolder = fails(2, 'there is no such folder.')
    for (const output of ['/nowhere/', '/nowhere/sum.zip'])
      expect(await run(['problem', 'export', String(id), '-o', output])).toMatchObject(noFolder)
    const empty = await makeTemporaryFolder()
    const stderr = 'error: There is no such problem\n'
    expect(await run(['problem', 'export', '999999', '-o', empty])).toMatchObject({ exitCode: 1, stderr })
    expect(await readdir(empty)).toEqual([])
  })
})

it.each([
  ['an import', (path: string) => ['users', 'import', join(path, 'people.csv'), '-o', path]],
  ['a contest file', (path: string) => ['contest', 'apply', path, '--yes']],
])(
  'a service that wants longer passwords than the generated ones refuses %s, and the command says what to do',
  async (_, command) => {
    const { path } = await makeContestFolder('strict')
    expect(await run(command(path))).toMatchObject(fails(1, 'Generated passwords have 19 characters'))
  },
)
