import { createHash } from 'node:crypto'
import fc from 'fast-check'
import pLimit from 'p-limit'
import type { Operation } from '../../test/support/verification/openapi-operations.ts'
import { createWorld } from './people.ts'
import { describeAsCurl, type Plan } from './plan.ts'
import { plansOf } from './plans.ts'
import { FROZEN_EVENT } from './rows.ts'
import { checkUp, type Session, sendPlan, Violation } from './session.ts'

const CONCURRENCY = 4
const SLICE = 6
const CHECK_UP_EVERY_MS = 10_000
/** The time for operations without a success; a slow machine gets more for most of them. */
const LAST_ROUNDS_MS = { usual: 10_000, most: 120_000 }
const FINDINGS_OF_ONE_OPERATION = 3
/** A run reaches most operations within its time and the last rounds. */
const LEAST_SUCCEEDING = 0.9

interface CampaignOptions {
  readonly seed: number
  readonly seconds: number
  readonly largestBodyBytes: number
  readonly report: (finding: string) => void
}

export type Tally = ReturnType<typeof createTally>

const createTally = () => ({
  ...{ requests: 0, findings: 0 },
  /** The ids of requested operations, and of those with a success. */
  ...{ requested: new Set<string>(), succeeded: new Set<string>() },
  /** By status class; `none` without a response. */
  responses: new Map<string, number>(),
})

/** Tests the operations in turn until the time is up, with a check-up every ten seconds. */
export async function runCampaign(
  session: Session,
  operations: readonly Operation[],
  options: CampaignOptions,
): Promise<Tally> {
  const tally = createTally()
  const report = (finding: string) => {
    tally.findings += 1
    options.report(finding)
  }
  const found = new Map<string, number>()
  const limit = pLimit(CONCURRENCY)
  let round = 0
  const runRound = async (isChosen: (id: string) => boolean, untilMs: number) => {
    const chosen = operations.filter(({ id }) => isChosen(id))
    await limit.map(chosen, async (operation) => {
      const finding = await runSlice(session, operation, round, untilMs, options, tally)
      if (finding === undefined) return
      found.set(operation.id, (found.get(operation.id) ?? 0) + 1)
      report(finding)
    })
    round += 1
    return chosen.length
  }
  const check = async () => {
    await session.people.recover()
    const { frozen, changeable } = await createWorld(session.url, session.people)
    session.rows.add(FROZEN_EVENT, frozen)
    for (const id of changeable) session.rows.addChangeable(id)
    for (const problem of await checkUp(session)) report(`check-up: ${problem}`)
  }
  const isOpen = (id: string) => (found.get(id) ?? 0) < FINDINGS_OF_ONE_OPERATION
  const endsAtMs = performance.now() + options.seconds * 1000
  while (performance.now() < endsAtMs) {
    await check()
    const checkAtMs = Math.min(endsAtMs, performance.now() + CHECK_UP_EVERY_MS)
    while (performance.now() < checkAtMs) if ((await runRound(isOpen, endsAtMs)) === 0) return tally
  }
  await check()
  // Some operations succeed rarely: they get more requests, on the new records of check-ups.
  const isSilent = (id: string) => !tally.succeeded.has(id) && !found.has(id)
  const startedMs = performance.now()
  for (;;) {
    const isEnough = findSilence(tally.succeeded.size, operations.length) === undefined
    const untilMs = startedMs + (isEnough ? LAST_ROUNDS_MS.usual : LAST_ROUNDS_MS.most)
    const before = tally.succeeded.size
    if (performance.now() >= untilMs || (await runRound(isSilent, untilMs)) === 0) return tally
    if (!isEnough && tally.succeeded.size === before) await check()
  }
}

/** Reports that too few operations ever succeeded: such a run tests little. */
export function findSilence(succeeded: number, operations: number): string | undefined {
  if (succeeded >= LEAST_SUCCEEDING * operations) return undefined
  return `only ${succeeded} of ${operations} operations succeeded`
}

/** Sends some requests to an operation. Returns the shrunk finding, if any. */
async function runSlice(
  session: Session,
  operation: Operation,
  round: number,
  untilMs: number,
  { seed, largestBodyBytes }: CampaignOptions,
  tally: Tally,
): Promise<string | undefined> {
  const leftMs = untilMs - performance.now()
  if (leftMs <= 0) return undefined
  const property = fc.asyncProperty(plansOf(operation, largestBodyBytes), async (plan) => {
    tally.requests += 1
    count(tally, plan, await sendPlan(session, plan))
  })
  const details = await fc.check(property, {
    seed: seedOf(seed, operation.id, round),
    numRuns: SLICE,
    interruptAfterTimeLimit: leftMs,
  })
  if (details.counterexample === null) return undefined
  const again = `npm run fuzz -- --seed ${seed} --operation ${operation.id}`
  return `${operation.id}${describeFinding(session.url, details)}\nto repeat: ${again}`
}

/** Independent of other operations, so that `--operation` sends the same requests. */
export function seedOf(seed: number, operation: string, round: number): number {
  return createHash('sha256').update(`${seed} ${operation} ${round}`).digest().readInt32LE()
}

function count(tally: Tally, plan: Plan, status: number | undefined): void {
  const kind = status === undefined ? 'none' : `${Math.floor(status / 100)}xx`
  tally.responses.set(kind, (tally.responses.get(kind) ?? 0) + 1)
  if (plan.method !== plan.operation.method || plan.otherPath !== undefined) return
  tally.requested.add(plan.operation.id)
  if (kind === '2xx') tally.succeeded.add(plan.operation.id)
}

function describeFinding(url: string, { errorInstance, numShrinks }: fc.RunDetails<[Plan]>): string {
  if (!(errorInstance instanceof Violation)) return `: ${errorInstance}`
  const { message, rendered, plan } = errorInstance
  const chunked = plan.isChunked ? 'chunked body\n' : ''
  return ` (shrunk ${numShrinks} times): ${message}\n${chunked}${describeAsCurl(url, rendered)}`
}
