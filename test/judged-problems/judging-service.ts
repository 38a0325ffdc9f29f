import type { JudgeClient } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { expect } from 'vitest'
import { testUnless } from '../../packages/worker/test/support/requirements.ts'
import { missingSandbox } from '../../packages/worker/test/support/use-sandbox.ts'
import { ROOT, register } from '../../tools/local-servers/submitter.ts'
import { startWorkerOf } from '../support/judging-service.ts'
import { freshDatabaseVariables } from '../support/process-database.ts'
import { type ProductionService, startProductionService } from '../support/production-service.ts'
import { until } from '../support/until.ts'

const VARIABLES = {
  BASIC_REGISTRATION_ENABLED: 'true',
  ADMIN_EMAILS: ROOT.email,
  RATE_LIMIT_SUBMISSIONS: '1000000/1000000',
  RATE_LIMIT_WRITES: '1000000/1000000',
}
export const PROGRAMS_AT_ONCE = 2

/** How often everything is judged. */
export const ROUNDS = Number(process.env.PACKAGE_ROUNDS ?? 3)
const BATCH = 6

/** A test judges a few things once: on a busy machine, all would take longer than its limit. */
export function listBatches<Item>(items: readonly Item[], rounds: number) {
  const starts = items.flatMap((_, i) => (i % BATCH === 0 ? [i] : []))
  return Array.from({ length: rounds }, (_, i) => i + 1).flatMap((round) =>
    starts.map((start) => ({ round, batch: items.slice(start, start + BATCH) })),
  )
}

const noBubblewrap = await missingSandbox('bubblewrap')
if (noBubblewrap) console.warn(`The tests that judge programs are left out: ${noBubblewrap}.`)
/** A test that needs bubblewrap. */
export const testSandbox = testUnless(noBubblewrap)

/** Starts a service with an admin, and a worker that judges two programs at once. */
export async function startJudging() {
  const service = await startProductionService({ ...VARIABLES, ...(await freshDatabaseVariables()) })
  const stop = await startWorkerOf(service, 'bubblewrap', PROGRAMS_AT_ONCE)
  return { service, stop, root: await register(service.url, ROOT) }
}

/** Imports a zip as a new problem; resolves to its id. */
export async function importPackage({ url }: ProductionService, token: string, zip: Buffer): Promise<number> {
  const response = await fetch(`${url}/v1/problem_packages`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/zip' },
    body: new Uint8Array(zip),
  })
  const text = await response.text()
  expect(response.status, text).toBe(201)
  return Number(JSON.parse(text).problem_id)
}

const REPORT_POLL_MS = 500

/** Verifies a package, and waits for the report. */
export async function verifyPackage(client: JudgeClient, problem_id: number) {
  const route = '/v1/problem_packages/{problem_id}/verifications'
  const started = await orThrow(client.POST(route, { params: { path: { problem_id } } }))
  const path = { problem_id, verification_id: started.id }
  return until(async () => {
    const report = await orThrow(client.GET(`${route}/{verification_id}`, { params: { path } }))
    expect(report.status).toBe('DONE')
    return report
  }, REPORT_POLL_MS)
}
