import { v7 as uuidv7 } from 'uuid'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { created, found, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { readStoredPart, retryChanged } from '../../problems/problem-packages/stored-files.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import { MAKE_PLAN } from './plan-calls.ts'
import { makeReport } from './report.ts'
import * as schemas from './schemas.ts'
import { readResults } from './settle.ts'
import { createVerification, readPlanSource, readVerification } from './sql.ts'
import { VALIDATOR_FOLDERS } from './validators.ts'

type VerificationDependencies = Pick<
  FeatureDependencies,
  'config' | 'languages' | 'packageProcesses' | 'wakeRelay'
>

/** Judging the programs and validators of a problem's package, for admins. */
export function verificationRoutes(deps: VerificationDependencies) {
  return [
    defineRoute('createVerification', 'POST /v1/problem_packages/:problem_id/verifications', {
      policy: 'admin',
      pool: 'bulk',
      responses: { 201: schemas.VerificationResponse },
      handler: async ({ db, params: { problem_id } }) => {
        const verification_id = await retryChanged(() => create(db, problem_id, deps))
        deps.wakeRelay()
        return created(await readReport(db, { problem_id, verification_id }))
      },
    }),
    defineRoute('readVerification', 'GET /v1/problem_packages/:problem_id/verifications/:verification_id', {
      policy: 'admin',
      pool: 'bulk',
      responses: { 200: schemas.VerificationResponse },
      handler: async ({ db, params }) => ok(await readReport(db, params)),
    }),
  ]
}

/** The id of a new verification. Throws VALIDATION without programs and validators. */
async function create(
  db: ActorDatabase,
  problem_id: number,
  { config, languages, packageProcesses }: VerificationDependencies,
): Promise<string> {
  const folders = ['submissions', ...VALIDATOR_FOLDERS]
  const { metadata, package_version, ...problem } = found(
    await db.query(readPlanSource, { problem_id, folders }),
    'problem',
  )
  if (metadata === null || package_version === null) throw nothingToVerify()
  const source = { ...problem, metadata, languages, mostSourceBytes: config.sizes.sourceCodeBytes }
  const readPart = (id: string, number: number) => readStoredPart(db, id, number)
  const planned = await packageProcesses.use(readPart, (call) => call(MAKE_PLAN, source))
  if (planned === undefined) throw nothingToVerify()
  const values = { id: uuidv7(), problem_id, package_version, ...planned }
  return found(await db.query(createVerification, values), 'problem').id
}

const nothingToVerify = () =>
  new AppError(
    'VALIDATION',
    'The problem has no programs or validators: import it with a package that has some',
  )

async function readReport(db: ActorDatabase, params: { problem_id: number; verification_id: string }) {
  const verification = found(await db.query(readVerification, params), 'verification')
  const results = await readResults(db, verification.id, verification.plan)
  return JSON.stringify(makeReport(verification, results))
}
