import type { Queryable, Transaction } from '../../src/db/database.ts'
import { unprepared } from '../../src/db/statement.ts'
import { ask } from '../local-servers/database.ts'
import { pollUntil } from '../local-servers/polling.ts'
import { checkExports, checkImports, checkVerifications } from './import-checks.ts'
import { type Imports, startImports } from './imports.ts'
import { describeFinding, describeRefusals } from './report.ts'
import { CAUGHT_WITHIN_MS, type Scene, untilDefined } from './scenario.ts'
import { readOpenBytes } from './temporary-files.ts'

const UPLOADED_WITHIN_MS = 30_000
const ENDED_WITHIN_MS = 5000
/** Less than a minute: the service must look at its start, not only each minute. */
const SETTLED_WITHIN_MS = 30_000
const HALF_BYTES = 2_000_000

/** Parts of statements that only imports send. */
const STORES_TESTS = 'expected_output, hidden, name, hint, description)'
const STORES_FILES = 'insert into problem_file_parts'

/** Kills the service in a new import, in a replacement, and at the end of a verification. */
export async function killAmongImports(scene: Scene): Promise<void> {
  const { sizes, pause, note, fail, instances, world, stage } = scene
  const imports = startImports(instances[0].url, world)
  try {
    for (let n = 0; n < sizes.times; n += 1) {
      await pause(sizes.betweenMs)
      await killInImport(scene, STORES_TESTS, () => imports.importLarge())
      await pause(sizes.betweenMs)
      const large = await untilDefined(() => imports.importLarge())
      await killInImport(scene, STORES_FILES, () => imports.replaceByLarge(large))
      await pause(sizes.betweenMs)
      await killBeforeEnd(scene, imports)
    }
  } finally {
    await imports.stop()
  }
  // The messages of a killed instance are claimed for 20 s.
  if (!(await pollUntil(async () => (await countOpen(stage.database)) === 0, sizes.recoverWithinMs)))
    fail(`verifications were open ${sizes.recoverWithinMs / 1000} s after the last kill`)
  const { problems, verified } = imports
  const findings = [
    ...(await checkImports(stage.database, problems)),
    ...(await checkVerifications(stage.database, imports)),
    ...(await checkExports(stage.database, imports)),
  ]
  for (const failure of findings.flatMap(describeFinding)) fail(failure)
  for (const failure of describeRefusals(problems.flatMap(({ refusals }) => refusals))) fail(failure)
  const stored = problems.filter(({ id }) => id !== undefined)
  note(`${3 * sizes.times} times, with ${stored.length} problems and ${verified.length} verifications`)
}

/** Freezes the service repeatedly until its import has just run this statement; then kills it. */
async function killInImport(scene: Scene, statement: string, send: () => Promise<unknown>): Promise<void> {
  const { stage, recovery } = scene
  const [instance] = scene.instances
  // Every import ends with another statement, `commit`.
  const inImport = `
    select from pg_stat_activity
    where datname = current_database() and application_name = 'instance-0' and query like '%${statement}%'`
  let sending: Promise<unknown> | undefined
  const isCaught = async () => {
    sending ??= send().finally(() => {
      sending = undefined
    })
    instance.freeze()
    if ((await ask(stage.database, inImport)).length > 0) return true
    instance.thaw()
    return false
  }
  try {
    if (!(await pollUntil(isCaught, CAUGHT_WITHIN_MS, 5))) throw new Error('no import was caught')
    await instance.kill()
  } finally {
    instance.thaw()
  }
  recovery.faultEnded()
  await instance.start()
  await sending
}

/** Kills the service in an upload, after the verdicts of a verification that a lock holds up. */
async function killBeforeEnd(scene: Scene, imports: Imports): Promise<void> {
  const { stage, worker, recovery, fail } = scene
  let id = ''
  const [instance] = scene.instances
  const problem = await untilDefined(() => imports.importNew())
  worker.freeze()
  try {
    id = await untilDefined(() => imports.verify(problem))
    let upload = await imports.sendHalf()
    const hasHalf = async () => {
      // A busy service refuses some requests.
      if (upload.closed) upload = await imports.sendHalf()
      return readOpenBytes(instance.pid, stage.temporaryFolder) >= HALF_BYTES
    }
    if (!(await pollUntil(hasHalf, UPLOADED_WITHIN_MS))) fail('no half of a package was in a temporary file')
    await stage.database.transaction(async (tx) => {
      await tx.query(unprepared(`select from verifications where verifications.id = '${id}' for update`))
      worker.thaw()
      await killAfterVerdicts(scene, tx, id)
    })
    upload.destroy()
  } finally {
    worker.thaw()
  }
  recovery.faultEnded()
  await instance.start()
  if (!(await pollUntil(async () => (await countOpen(stage.database, id)) === 0, SETTLED_WITHIN_MS)))
    fail(`a verification was open ${SETTLED_WITHIN_MS / 1000} s after the start`)
}

/** The number of verifications that are not settled: 0 or 1 for a single one. */
async function countOpen(db: Queryable, id?: string): Promise<number> {
  const one = id === undefined ? '' : `and verifications.id = '${id}'`
  const open = `select from verifications where verifications.settled_at is null ${one}`
  return (await ask(db, open)).length
}

async function killAfterVerdicts(scene: Scene, tx: Transaction, id: string): Promise<void> {
  const { stage, sizes, fail } = scene
  const [instance] = scene.instances
  const count = async (sql: string) => (await tx.query(unprepared(sql))).length
  const ofThis = `shadow_judgings.verification_id = '${id}'`
  const pending = `select from shadow_judgings where ${ofThis} and shadow_judgings.status = 'PENDING'`
  if (!(await pollUntil(async () => (await count(pending)) === 0, sizes.recoverWithinMs, 20)))
    fail('a verification had no verdicts')
  await instance.kill()
  // PostgreSQL would run the waiting statement of the killed service after the lock.
  const connections = `
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'instance-0'`
  const areGone = async () => (await ask(stage.database, connections)).length === 0
  if (!(await pollUntil(areGone, ENDED_WITHIN_MS, 20))) fail('connections of the killed service remain')
  if ((await countOpen(tx, id)) !== 1) fail('the verification was settled before the kill')
}
