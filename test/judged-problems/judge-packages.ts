import { setTimeout } from 'node:timers/promises'
import { createJudgeClient, type JudgeClient, type Schemas } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { defaultLanguagesFile, readLanguages } from '@judge-data-layer/languages'
import { startWorker } from '@judge-data-layer/worker'
import pLimit from 'p-limit'
import { expect, onTestFinished } from 'vitest'
import { ROOT } from '../../tools/local-servers/submitter.ts'
import { type ExpectedPackage, expectedPackages } from '../problem-packages/expected-package.ts'
import { JUDGE_PASSWORD } from '../support/app.ts'
import { once } from '../support/cleanup.ts'
import { freshDatabaseVariables } from '../support/process-database.ts'
import { type ProductionService, startProductionService } from '../support/production-service.ts'
import { zipFolder } from '../support/zip-packages.ts'

const VARIABLES = {
  BASIC_REGISTRATION_ENABLED: 'true',
  ADMIN_EMAILS: ROOT.email,
  RATE_LIMIT_SUBMISSIONS: '1000000/1000000',
  RATE_LIMIT_WRITES: '1000000/1000000',
}
const PROGRAMS_AT_ONCE = 2

/** The packages of the tests in a service with a worker that judges two programs at once. */
export interface PackageJudge {
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
    stop,
    // More at once would only wait for the worker, and overload the service with their polls.
    verifyAll: () =>
      pLimit(PROGRAMS_AT_ONCE).map(imported, async (one) => [one, await verify(client, one.problemId)]),
  }
}

/** A line for each program of all packages, as the reports should have them, sorted by path. */
export function describeExpected(): string[] {
  return expectedPackages.flatMap(({ name, programs }) =>
    sortByPath(
      Object.entries(programs).map(([path, wanted]) => {
        const [status, score] = typeof wanted === 'string' ? [wanted] : wanted
        return { path, status, score }
      }),
    ).map((program) => describeVerdict(name, program)),
  )
}

/** The same for the programs of a report. */
export function describeVerdicts({ name }: ExpectedPackage, { programs }: Report): string[] {
  return sortByPath(programs).map((program) => describeVerdict(name, program))
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

interface Verdict {
  readonly path: string
  readonly status: string
  readonly score?: number | undefined
}

const sortByPath = <T extends Verdict>(programs: readonly T[]) =>
  programs.toSorted((a, b) => (a.path < b.path ? -1 : 1))

const describeVerdict = (name: string, { path, status, score }: Verdict) =>
  `${name}, ${path}: ${status}${score === undefined ? '' : `, ${score} points`}`
