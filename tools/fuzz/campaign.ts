import { createHash } from 'node:crypto'
import fc from 'fast-check'
import type { Operation } from '../../verification/openapi-operations.ts'
import { checkUp } from './check-up.ts'
import type { Plan } from './plan.ts'
import { plansOf } from './plans.ts'
import { describeAsCurl } from './render.ts'
import { type Session, sendPlan, Violation } from './session.ts'
import { seedWorld } from './world.ts'

/** How many requests are on their way at once: two cores serve them. */
const CONCURRENCY = 4
/** Requests of one operation in a row; then it is the next one's turn. */
const SLICE = 6
const CHECK_UP_EVERY_MS = 10_000
/** Beyond this many findings of one operation nothing new is learned. */
const FINDINGS_OF_ONE_OPERATION = 3

export interface CampaignOptions {
  readonly seed: number
  readonly seconds: number
  readonly largestBodyBytes: number
  /** Told each finding as it is made. */
  readonly report: (finding: string) => void
}

export interface Tally {
  requests: number
  findings: number
  /** Operations that were asked, and that answered with success, by their ids. */
  readonly asked: Set<string>
  readonly succeeded: Set<string>
  /** By status class, `none` where the connection just ended. */
  readonly answers: Map<string, number>
}

/** Asks every operation by turns until the time is up, each by a property of its own, and checks the whole now and then. */
export async function runCampaign(
  session: Session,
  asked: readonly Operation[],
  options: CampaignOptions,
): Promise<Tally> {
  const tally: Tally = {
    requests: 0,
    findings: 0,
    asked: new Set(),
    succeeded: new Set(),
    answers: new Map(),
  }
  const endsAtMs = performance.now() + options.seconds * 1000
  const found = new Map<string, number>()
  const checkWhole = async () => {
    await session.people.recover()
    await seedWorld(session.url, session.people)
    for (const problem of await checkUp(session)) {
      tally.findings += 1
      options.report(`check-up: ${problem}`)
    }
  }
  await checkWhole()
  let checkedAtMs = performance.now()
  for (let round = 0; performance.now() < endsAtMs; round++) {
    const open = asked.filter(({ id }) => (found.get(id) ?? 0) < FINDINGS_OF_ONE_OPERATION)
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
    await checkWhole()
    checkedAtMs = performance.now()
  }
  await checkWhole()
  return tally
}

/** Of a minute's seeds so far 93 % and more; below this the requests that should be right are none any more. */
const LEAST_SUCCEEDING = 0.9

/** Says that too many of all operations never succeeded, which a campaign without findings would hide; undefined where not. */
export function findSilence(silent: number, asked: number): string | undefined {
  if (asked - silent >= LEAST_SUCCEEDING * asked) return undefined
  return `only ${asked - silent} of ${asked} operations ever succeeded`
}

async function inParallel(operations: readonly Operation[], run: (operation: Operation) => Promise<void>) {
  const waiting = operations.values()
  const work = async () => {
    for (const operation of waiting) await run(operation)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
}

/** Some requests of an operation; answers the finding, shrunk, if there is one. */
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
  // A slice that the time cut short before its first request has no counterexample.
  return details.counterexample === null ? undefined : describeFinding(session.url, operation, seed, details)
}

/** The seed of a slice depends on nothing else, so that one operation alone sends what it sent among all. */
export function seedOf(seed: number, operation: string, round: number): number {
  return createHash('sha256').update(`${seed} ${operation} ${round}`).digest().readInt32LE()
}

function count(
  tally: Tally,
  { operation, method, pathValues, otherPath }: Plan,
  status: number | undefined,
): void {
  const kind = status === undefined ? 'none' : `${Math.floor(status / 100)}xx`
  tally.answers.set(kind, (tally.answers.get(kind) ?? 0) + 1)
  if (method !== operation.method || otherPath !== undefined || pathValues === undefined) return
  tally.asked.add(operation.id)
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
  const broken = plan.fault === undefined ? '' : `broken on the wire: ${plan.fault}\n`
  const chunked = plan.isChunked ? 'its body in chunks\n' : ''
  return `${id} (shrunk ${numShrinks} times): ${message}\n${broken}${chunked}${describeAsCurl(url, rendered)}\nagain: ${again}`
}
