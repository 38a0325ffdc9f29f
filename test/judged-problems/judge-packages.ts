import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createJudgeClient, type JudgeClient, type Schemas } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { waitForVerdict } from '@judge-data-layer/client/waiting'
import { defaultLanguagesFile, readLanguages } from '@judge-data-layer/languages'
import { startWorker } from '@judge-data-layer/worker'
import pLimit from 'p-limit'
import { expect, onTestFinished } from 'vitest'
import { type ExpectedPackage, expectedPackages } from '../problem-packages/expected-package.ts'
import { JUDGE_PASSWORD } from '../support/app.ts'
import { once } from '../support/cleanup.ts'
import { ROOT } from '../support/judging-service.ts'
import { freshDatabaseVariables } from '../support/process-database.ts'
import { type ProductionService, startProductionService } from '../support/production-service.ts'
import { zipFolder } from '../support/zip-packages.ts'
import { languageOf } from './load.ts'

const VARIABLES = {
  BASIC_REGISTRATION_ENABLED: 'true',
  ADMIN_EMAILS: ROOT.email,
  RATE_LIMIT_SUBMISSIONS: '1000000/1000000',
  RATE_LIMIT_WRITES: '1000000/1000000',
}
const PROGRAMS_AT_ONCE = 2
const MAX_POLL_DELAY_MS = 500

/** The packages of the tests in a service with a worker that judges two programs at once. */
export interface PackageJudge {
  readonly service: ProductionService
  /** An admin's token. */
  readonly token: string
  readonly imported: readonly ImportedPackage[]
  /** Submits every program once; resolves to a line for each verdict, in this order. */
  judgeAll(): Promise<string[]>
  /** Verifies every package; resolves to the finished reports. */
  verifyAll(): Promise<[ImportedPackage, Report][]>
  /** Stops the worker. */
  stop(): Promise<void>
}

export type Report = Schemas['Verification']

export interface ImportedPackage {
  readonly problemId: number
  readonly expected: ExpectedPackage
}

/** Starts a service with a worker, and imports all packages. Both stop with the test. */
export async function openPackageJudge(): Promise<PackageJudge> {
  const service = await startProductionService({ ...VARIABLES, ...(await freshDatabaseVariables()) })
  if (service.localQueue === undefined) throw new Error('the queue is not in this process')
  const worker = await startWorker({
    apiUrl: service.url,
    judgePassword: JUDGE_PASSWORD,
    source: service.localQueue,
    languages: await readLanguages(defaultLanguagesFile),
    concurrency: PROGRAMS_AT_ONCE,
    sandbox: 'bubblewrap',
  })
  const stop = once(() => worker.stop())
  onTestFinished(stop)
  const client = createJudgeClient({ baseUrl: service.url })
  const root = await orThrow(client.POST('/v1/basic_register', { body: ROOT }))
  client.setToken(root.token)
  const imported: ImportedPackage[] = []
  for (const expected of expectedPackages)
    imported.push({ problemId: await importPackage(service, root.token, expected), expected })
  return {
    ...{ service, token: root.token, imported, stop },
    judgeAll: () => judgeAll(client, root.id, imported),
    verifyAll: () => Promise.all(imported.map(async (one) => [one, await verify(client, one.problemId)])),
  }
}

/** One line for each program, as `judgeAll` should find them. */
export function describeExpected(): string[] {
  return expectedPackages.flatMap(({ name, programs }) =>
    Object.entries(programs).map(([path, wanted]) => {
      const [status, score] = typeof wanted === 'string' ? [wanted] : wanted
      return describeVerdict(name, path, status, score)
    }),
  )
}

async function importPackage({ url }: ProductionService, token: string, expected: ExpectedPackage) {
  const { name, folder, topFolder } = expected
  const body = await zipFolder(folder, topFolder === undefined ? {} : { topFolder })
  const response = await fetch(`${url}/v1/problem_packages`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/zip' },
    body: new Uint8Array(body),
  })
  const text = await response.text()
  expect(response.status, `${name}: ${text}`).toBe(201)
  return Number(JSON.parse(text).problem_id)
}

async function judgeAll(
  client: JudgeClient,
  userId: string,
  imported: readonly ImportedPackage[],
): Promise<string[]> {
  const languages = new Map((await orThrow(client.GET('/v1/languages'))).map(({ name, id }) => [name, id]))
  const submitted: { id: string; name: string; path: string }[] = []
  for (const { problemId, expected } of imported) {
    for (const path of Object.keys(expected.programs)) {
      const program = findProgram(join(expected.folder, path))
      const body = {
        user_id: userId,
        problem_id: problemId,
        language_id: languages.get(languageOf(extname(program))) ?? '',
        source_code: withConstants(readFileSync(program, 'utf8'), expected.constants ?? {}),
      }
      const { id } = await orThrow(client.POST('/v1/submissions', { body }))
      submitted.push({ id, name: expected.name, path })
    }
  }
  // Verdicts come roughly in order: polling all submissions would slow down their judging.
  return pLimit(2 * PROGRAMS_AT_ONCE).map(submitted, async ({ id, name, path }) => {
    await waitForVerdict(client, id, { maxDelayMs: MAX_POLL_DELAY_MS })
    const params = { path: { submission_id: id } }
    const { status, score } = await orThrow(client.GET('/v1/submissions/{submission_id}', { params }))
    return describeVerdict(name, path, status, score)
  })
}

const REPORT_POLL_MS = 500

async function verify(client: JudgeClient, problem_id: number): Promise<Report> {
  const route = '/v1/problem_packages/{problem_id}/verifications'
  const started = await orThrow(client.POST(route, { params: { path: { problem_id } } }))
  const path = { problem_id, verification_id: started.id }
  for (;;) {
    const report = await orThrow(client.GET(`${route}/{verification_id}`, { params: { path } }))
    if (report.status === 'DONE') return report
    await setTimeout(REPORT_POLL_MS)
  }
}

/** A program is a file, or a folder with one file. */
function findProgram(path: string): string {
  if (!statSync(path).isDirectory()) return path
  const [file, ...others] = readdirSync(path)
  if (file === undefined || others.length > 0) throw new Error(`${path} must have one file`)
  return join(path, file)
}

function withConstants(text: string, constants: Readonly<Record<string, string>>): string {
  return Object.entries(constants).reduce((all, [name, value]) => all.replaceAll(`{{${name}}}`, value), text)
}

function describeVerdict(name: string, path: string, status: string, score: number | undefined): string {
  return `${name}, ${path}: ${status}${score === undefined ? '' : `, ${score} points`}`
}
