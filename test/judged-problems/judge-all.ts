import { createJudgeClient, type JudgeClient } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { waitForVerdict } from '@judge-data-layer/client/waiting'
import { defaultLanguagesFile, readLanguages } from '@judge-data-layer/languages'
import { startWorker } from '@judge-data-layer/worker'
import pLimit from 'p-limit'
import { expect, onTestFinished } from 'vitest'
import { ROOT } from '../../tools/local-servers/submitter.ts'
import { JUDGE_PASSWORD } from '../support/app.ts'
import { once } from '../support/cleanup.ts'
import { freshDatabaseVariables } from '../support/process-database.ts'
import { type ProductionService, startProductionService } from '../support/production-service.ts'
import type { JudgedProblem, JudgedProgram } from './judged-problem.ts'
import { makeBody, readProgram } from './load.ts'

const VARIABLES = {
  BASIC_REGISTRATION_ENABLED: 'true',
  ADMIN_EMAILS: ROOT.email,
  RATE_LIMIT_SUBMISSIONS: '1000000/1000000',
  RATE_LIMIT_WRITES: '1000000/1000000',
}
const OWNER = { name: 'Owner', email: 'owner@example.org', password: 'a password of the owner' }
const PROGRAMS_AT_ONCE = 2
const MAX_POLL_DELAY_MS = 500

/** The parts of a result that a row compares; absent ones have no value. */
interface FoundResult {
  readonly judge_message?: string
  readonly team_message?: string
}

/** A verdict with the messages of the last judged test case. */
export interface Judged {
  readonly problem: JudgedProblem
  readonly program: JudgedProgram
  readonly status: string
  readonly score: number | undefined
  readonly maxScore: number | undefined
  readonly judgeMessage: string
  readonly teamMessage: string
  /** The owner's record and the list of judgings, as JSON. */
  readonly shownToOwner: string
  readonly shownToStaff: string
}

interface Submitted {
  readonly id: string
  readonly problem: JudgedProblem
  readonly program: JudgedProgram
}

/** A service with a worker that judges two programs at once, and all problems. */
export interface Judge {
  /** Submits every program once and returns the verdicts in this order. */
  judgeAll(): Promise<Judged[]>
  /** Stops the worker. */
  stop(): Promise<void>
}

/** Starts a service with a worker, and creates the problems. Both stop with the test. */
export async function openJudge(problems: readonly JudgedProblem[]): Promise<Judge> {
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
  const [root, owner] = [await register(service, ROOT), await register(service, OWNER)]
  const languages = new Map(
    (await orThrow(root.client.GET('/v1/languages'))).map(({ name, id }) => [name, id]),
  )
  const created: (readonly [number, JudgedProblem])[] = []
  for (const problem of problems) created.push([await createProblem(service, root.token, problem), problem])
  return {
    stop,
    async judgeAll() {
      const submitted: Submitted[] = []
      for (const [problemId, problem] of created)
        for (const program of problem.programs) {
          const { language, source_code } = readProgram(problem.folder, program.file)
          const language_id = languages.get(language) ?? ''
          const body = { user_id: owner.id, problem_id: problemId, language_id, source_code }
          const { id } = await orThrow(owner.client.POST('/v1/submissions', { body }))
          submitted.push({ id, problem, program })
        }
      // Verdicts come roughly in order: polling all submissions would slow down their judging.
      return pLimit(2 * PROGRAMS_AT_ONCE).map(submitted, (one) =>
        readVerdict(service, root.token, owner, one),
      )
    },
  }
}

interface Account {
  readonly id: string
  readonly token: string
  readonly client: JudgeClient
}

async function register({ url }: ProductionService, body: typeof OWNER): Promise<Account> {
  const client = createJudgeClient({ baseUrl: url })
  const { id, token } = await orThrow(client.POST('/v1/basic_register', { body }))
  client.setToken(token)
  return { id, token, client }
}

async function createProblem(
  service: ProductionService,
  token: string,
  problem: JudgedProblem,
): Promise<number> {
  const { status, body } = await service.request('POST', '/v1/problems', { token, body: makeBody(problem) })
  expect({ status, error: body.error }, problem.title).toEqual({ status: 201, error: undefined })
  return body.id
}

/** Waits for the verdict. Throws `WaitTimeoutError` after five minutes. */
async function readVerdict(
  service: ProductionService,
  staffToken: string,
  owner: Account,
  { id, problem, program }: Submitted,
): Promise<Judged> {
  await waitForVerdict(owner.client, id, { maxDelayMs: MAX_POLL_DELAY_MS })
  const record = await service.request('GET', `/v1/submissions/${id}`, { token: owner.token })
  const judgings = await service.request('GET', `/v1/submissions/${id}/judgings`, { token: staffToken })
  const ofOwner: FoundResult | undefined = record.body.test_case_results.at(-1)
  const ofStaff: FoundResult | undefined = judgings.body[0].test_case_results.at(-1)
  return {
    problem,
    program,
    status: record.body.status,
    score: record.body.score,
    maxScore: record.body.max_score,
    judgeMessage: ofStaff?.judge_message ?? '',
    teamMessage: ofOwner?.team_message ?? '',
    shownToOwner: record.text,
    shownToStaff: judgings.text,
  }
}
