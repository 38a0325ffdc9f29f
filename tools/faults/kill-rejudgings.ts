import { ask } from '../local-servers/database.ts'
import { pollUntil } from '../local-servers/polling.ts'
import { checkRejudgings } from './rejudging-checks.ts'
import { type Decision, type Rejudging, type Rejudgings, startRejudgings } from './rejudgings.ts'
import { describeFinding, describeRefusals } from './report.ts'
import { CAUGHT_WITHIN_MS, type Scene, untilDefined } from './scenario.ts'

/** So many submissions, with all their results, take the service a while. */
const SUBMISSIONS = 150
const FILLED_WITHIN_MS = 300_000
const ENDED_WITHIN_MS = 15_000
const TRIES = 10

/** A statement that only a decision runs, and a table that it writes. `commit` comes later. */
interface Moment {
  readonly statement: string
  readonly table: string
}

const MOVES_VERDICTS: Moment = { statement: 'items.submission_id > ', table: 'submissions' }
const COUNTS_STANDINGS: Moment = { statement: 'with applied as materialized', table: 'event_scores' }
const CANCELS: Moment = { statement: 'with pending as materialized', table: 'shadow_judgings' }

/** Kills the service while it applies, counts and cancels rejudgings, and then the worker. */
export async function killAmongRejudgings(scene: Scene): Promise<void> {
  const { sizes, pause, note, fail, instances, world, stage } = scene
  const rejudgings = startRejudgings(instances[0].url, world)
  try {
    for (let n = 0; n < sizes.times; n += 1) {
      await pause(sizes.betweenMs)
      await killInApply(scene, rejudgings)
      await pause(sizes.betweenMs)
      await killInCancel(scene, rejudgings)
      await pause(sizes.betweenMs)
      await killWorker(scene, rejudgings)
    }
  } finally {
    await rejudgings.stop()
  }
  const { requested, refusals } = rejudgings
  const findings = await checkRejudgings(stage.database, requested)
  for (const failure of findings.flatMap(describeFinding)) fail(failure)
  for (const failure of describeRefusals(refusals)) fail(failure)
  const count = (wanted: Rejudging['decided']) => requested.filter(({ decided }) => decided === wanted).length
  note(
    `${4 * sizes.times} times, with ${requested.length} rejudgings, ${count('APPLIED')} applied and ${count('CANCELLED')} cancelled`,
  )
}

/** Kills the service twice in one apply; the third request succeeds. */
async function killInApply(scene: Scene, rejudgings: Rejudgings): Promise<void> {
  const { stage, sizes } = scene
  const judged = `select from submissions where submissions.event_id is not null and submissions.status <> 'PENDING'`
  const isFilled = async () => (await ask(stage.database, judged)).length >= SUBMISSIONS
  if (!(await pollUntil(isFilled, FILLED_WITHIN_MS))) throw new Error('too few submissions have verdicts')
  const prepare = async () => {
    const rejudging = await untilDefined(() => rejudgings.request())
    await untilJudged(rejudgings, rejudging, sizes.recoverWithinMs)
    return rejudging
  }
  const rejudging = await killIn(scene, rejudgings, MOVES_VERDICTS, 'apply', prepare)
  const again = await killIn(scene, rejudgings, COUNTS_STANDINGS, 'apply', prepare, rejudging)
  await untilDecided(scene, rejudgings, again, 'apply')
}

/** The worker is stopped: it must not judge a program of the rejudging, neither then nor later. */
async function killInCancel(scene: Scene, rejudgings: Rejudgings): Promise<void> {
  const { stage, worker, fail } = scene
  worker.freeze()
  try {
    const prepare = () => untilDefined(() => rejudgings.request())
    const rejudging = await killIn(scene, rejudgings, CANCELS, 'cancel', prepare)
    await untilDecided(scene, rejudgings, rejudging, 'cancel')
    const left = `
      select from rejudging_items
      join shadow_judgings on shadow_judgings.id = rejudging_items.shadow_judging_id
      where rejudging_items.decision_id = '${rejudging.id}'`
    const { length } = await ask(stage.database, left)
    if (length > 0) fail(`${length} judgings are left of a rejudging that was cancelled before any verdict`)
  } finally {
    worker.thaw()
  }
}

/** The rejudging stays open: the started worker must judge all of it. */
async function killWorker({ worker, recovery }: Scene, { request }: Rejudgings): Promise<void> {
  await untilDefined(() => request())
  await worker.kill()
  recovery.faultEnded()
  await worker.start()
}

/**
 * Sends a decision, whose statement a lock on its table holds up; kills the service then, and starts
 * it again. The transaction must have done nothing. A decision that was not caught was made or
 * refused: then the next rejudging is used.
 */
async function killIn(
  scene: Scene,
  rejudgings: Rejudgings,
  moment: Moment,
  how: Decision,
  prepare: () => Promise<Rejudging>,
  first?: Rejudging,
): Promise<Rejudging> {
  const { recovery, instances, fail } = scene
  for (let tries = 0; tries < TRIES; tries += 1) {
    const rejudging = tries === 0 && first !== undefined ? first : await prepare()
    const isCaught = await rejudgings.alone(async () => {
      const isKilled = await killInStatement(scene, moment, () => rejudgings.decide(rejudging, how))
      if (!isKilled) return false
      if (!(await isUntouched(scene, rejudging)))
        fail(`a service that was killed while it decides has changed ${rejudging.id}`)
      recovery.faultEnded()
      await instances[0].start()
      return true
    })
    if (isCaught) return rejudging
  }
  throw new Error(`no ${how} was caught`)
}

const running = (statement: string) => `
  select from pg_stat_activity
  where datname = current_database() and application_name = 'instance-0' and query like '%${statement}%'
    and state in ('active', 'idle in transaction')`

/** Whether the service was killed in this statement; false if the decision ended before. */
async function killInStatement(
  { stage, instances: [instance], fail }: Scene,
  { statement, table }: Moment,
  send: () => Promise<unknown>,
): Promise<boolean> {
  const isRunning = async () => (await ask(stage.database, running(statement))).length > 0
  let hasEnded = false
  const { isKilled, sending } = await stage.database.transaction(async (tx) => {
    await ask(tx, `lock table ${table} in share mode`)
    const decision = send().finally(() => {
      hasEnded = true
    })
    await pollUntil(async () => hasEnded || (await isRunning()), CAUGHT_WITHIN_MS, 10)
    const isCaught = !hasEnded && (await isRunning())
    if (isCaught) await instance.kill()
    return { isKilled: isCaught, sending: decision }
  })
  await sending
  if (isKilled && !(await pollUntil(async () => !(await isRunning()), ENDED_WITHIN_MS, 20)))
    fail('the transaction of a killed service remains')
  return isKilled
}

async function isUntouched({ stage }: Scene, { id }: Rejudging): Promise<boolean> {
  const untouched = `
    select from rejudging_decisions
    where rejudging_decisions.id = '${id}' and rejudging_decisions.state = 'OPEN'
      and rejudging_decisions.total = (
        select count(*)
        from rejudging_items
        join shadow_judgings on shadow_judgings.id = rejudging_items.shadow_judging_id
        where rejudging_items.decision_id = rejudging_decisions.id and rejudging_items.outcome is null)`
  return (await ask(stage.database, untouched)).length === 1
}

async function untilDecided(scene: Scene, rejudgings: Rejudgings, rejudging: Rejudging, how: Decision) {
  const isDecided = () => rejudgings.alone(() => rejudgings.decide(rejudging, how))
  if (!(await pollUntil(isDecided, scene.sizes.recoverWithinMs)))
    scene.fail(`${how} was not acknowledged after the kill`)
}

/** It takes long on a slow machine, but the worker must always go on with it. */
async function untilJudged({ countPending }: Rejudgings, rejudging: Rejudging, withinMs: number) {
  let least = Number.POSITIVE_INFINITY
  const hasLess = async () => {
    const pending = await countPending(rejudging)
    if (pending === undefined || pending >= least) return false
    least = pending
    return true
  }
  while (least > 0)
    if (!(await pollUntil(hasLess, withinMs)))
      throw new Error(`${least} programs of a rejudging were not judged`)
}
