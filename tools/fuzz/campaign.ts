import { createHash } from 'node:crypto'
import fc from 'fast-check'
import type { Operation } from '../../verification/openapi-operations.ts'
import { checkUp } from './check-up.ts'
import type { Plan } from './plan.ts'
import { plansOf } from './plans.ts'
import { describeAsCurl } from './render.ts'
import { type Session, sendPlan, Violation } from './session.ts'
import { createWorld } from './world.ts'

/** Concurrent requests, for two cores. */
const CONCURRENCY = 4
/** Consecutive requests to one operation. */
const SLICE = 6
const CHECK_UP_EVERY_MS = 10_000
/** An operation is skipped after this many findings. */
const FINDINGS_OF_ONE_OPERATION = 3

export interface CampaignOptions {
  readonly seed: number
  readonly seconds: number
  readonly largestBodyBytes: number
  readonly report: (finding: string) => void
}

export interface Tally {
  requests: number
  findings: number
  /** The ids of requested operations, and of those with a success. */
  readonly requested: Set<string>
  readonly succeeded: Set<string>
  /** By status class; `none` without a response. */
  readonly responses: Map<string, number>
}

/** Tests the operations in turn until the time is up, with a check-up every ten seconds. */
export async function runCampaign(
  session: Session,
  operations: readonly Operation[],
  options: CampaignOptions,
): Promise<Tally> {
  const tally: Tally = {
    requests: 0,
    findings: 0,
    requested: new Set(),
    succeeded: new Set(),
    responses: new Map(),
  }
  const endsAtMs = performance.now() + options.seconds * 1000
  const found = new Map<string, number>()
  const check = async () => {
    await session.people.recover()
    await createWorld(session.url, session.people)
    for (const problem of await checkUp(session)) {
      tally.findings += 1
      options.report(`check-up: ${problem}`)
    }
  }
  await check()
  let checkedAtMs = performance.now()
  for (let round = 0; performance.now() < endsAtMs; round++) {
    const open = operations.filter(({ id }) => (found.get(id) ?? 0) < FINDINGS_OF_ONE_OPERATION)
    if (open.length === 0) break
    await inParallel(open, async (operation) => {
      const leftMs = endsAtMs - performance.now()
      if (leftMs <= 0) return
      const finding = await runSlice(session, operation, round, leftMs, options, tally)
      if (finding === undefined) return
      found.set(operation.id, (found.get(operation.id) ?? 0) + 1)
      tally.findings += 1
      options.report(finding)
    })
    if (performance.now() - checkedAtMs < CHECK_UP_EVERY_MS) continue
    await check()
    checkedAtMs = performance.now()
  }
  await check()
  return tally
}

/** Runs of a minute reach 93 % and more. */
const LEAST_SUCCEEDING = 0.9

/** Reports that too few operations ever succeeded: such a run tests little. */
export function findSilence(succeeded: number, operations: number): string | undefined {
  if (succeeded >= LEAST_SUCCEEDING * operations) return undefined
  return `only ${succeeded} of ${operations} operations succeeded`
}

async function inParallel(operations: readonly Operation[], run: (operation: Operation) => Promise<void>) {
  const waiting = operations.values()
  const work = async () => {
    for (const operation of waiting) await run(operation)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
}

/** Sends some requests to an operation. Returns the shrunk finding, if any. */
async function runSlice(
  session: Session,
  operation: Operation,
  round: number,
  leftMs: number,
  { seed, largestBodyBytes }: CampaignOptions,
  tally: Tally,
): Promise<string | undefined> {
  const property = fc.asyncProperty(plansOf(operation, largestBodyBytes), async (plan) => {
    tally.requests += 1
    count(tally, plan, await sendPlan(session, plan))
  })
  const details = await fc.check(property, {
    seed: seedOf(seed, operation.id, round),
    numRuns: SLICE,
    interruptAfterTimeLimit: leftMs,
  })
  return details.counterexample === null ? undefined : describeFinding(session.url, operation, seed, details)
}

/** Independent of other operations, so that `--operation` sends the same requests. */
export function seedOf(seed: number, operation: string, round: number): number {
  return createHash('sha256').update(`${seed} ${operation} ${round}`).digest().readInt32LE()
}

function count(
  tally: Tally,
  { operation, method, pathValues, otherPath }: Plan,
  status: number | undefined,
): void {
  const kind = status === undefined ? 'none' : `${Math.floor(status / 100)}xx`
  tally.responses.set(kind, (tally.responses.get(kind) ?? 0) + 1)
  if (method !== operation.method || otherPath !== undefined || pathValues === undefined) return
  tally.requested.add(operation.id)
  if (kind === '2xx') tally.succeeded.add(operation.id)
}

function describeFinding(
  url: string,
  { id }: Operation,
  seed: number,
  { errorInstance, numShrinks }: fc.RunDetails<[Plan]>,
): string {
  const again = `npm run fuzz -- --seed ${seed} --operation ${id}`
  if (!(errorInstance instanceof Violation)) return `${id}: ${errorInstance}\n${again}`
  const { message, rendered, plan } = errorInstance
  const broken = plan.fault === undefined ? '' : `broken HTTP: ${plan.fault}\n`
  const chunked = plan.isChunked ? 'chunked body\n' : ''
  return `${id} (shrunk ${numShrinks} times): ${message}\n${broken}${chunked}${describeAsCurl(url, rendered)}\nto repeat: ${again}`
}
