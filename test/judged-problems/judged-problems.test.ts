import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { orThrow } from '@judge-data-layer/client/errors'
import { waitForVerdict } from '@judge-data-layer/client/waiting'
import pLimit from 'p-limit'
import { beforeAll, describe, expect } from 'vitest'
import { findBelongings } from '../../packages/worker/test/hostile/traces.ts'
import { register } from '../../tools/local-servers/submitter.ts'
import type { ProductionService } from '../support/production-service.ts'
import { catalogue } from './catalogue.ts'
import { hostileCatalogue } from './hostile-catalogue.ts'
import type { JudgedProblem, JudgedProgram, JudgedValidation } from './judged-problem.ts'
import { listBatches, PROGRAMS_AT_ONCE, ROUNDS, startJudging, testSandbox } from './judging-service.ts'

const OWNER = { name: 'Owner', email: 'owner@example.org', password: 'a password of the owner' }
const MAX_POLL_DELAY_MS = 500

judgeInRounds('every program gets its verdict and score each time, two at once', catalogue, ROUNDS)

judgeInRounds('misbehaving validators and programs end, and the right side is blamed', hostileCatalogue, 1)

function judgeInRounds(title: string, problems: readonly JudgedProblem[], rounds: number): void {
  describe(title, () => {
    let atStart: string[]
    let judge: Awaited<ReturnType<typeof openJudge>>
    beforeAll(async () => {
      atStart = findBelongings()
      judge = await openJudge(problems)
    })

    for (const { round, batch } of listBatches(problems, rounds))
      testSandbox(`round ${round}: ${batch.map((problem) => problem.title).join(', ')}`, async () => {
        const judged = await judge.judgeAll(batch)
        expect(judged.map(describeFound)).toEqual(judged.map(describeExpected))
        for (const one of judged) expectHidden(one)
      })

    testSandbox('nothing is left of them', async () => {
      await judge.stop()
      await expect.poll(() => findBelongings().filter((item) => !atStart.includes(item))).toEqual([])
    })
  })
}

/** One line for each program; without the values that its row does not compare. */
function describeFound({ problem, program, status, score, maxScore, ...messages }: Judged) {
  const { judgeMessage = '', teamMessage = '' } = program
  const shown = (message: string, part: string) => (message.includes(part) ? part : message)
  return {
    line: describeLine(problem, program.file, status, program.score === undefined ? undefined : score),
    ...{ maxScore, judgeMessage: shown(messages.judgeMessage, judgeMessage) },
    teamMessage: shown(messages.teamMessage, teamMessage),
  }
}

function describeExpected({ problem, program }: Judged) {
  const { file, status, score, judgeMessage = '', teamMessage = '' } = program
  const maxScore = problem.test_groups?.reduce((sum, { points }) => sum + points, 0)
  return { line: describeLine(problem, file, status, score), maxScore, judgeMessage, teamMessage }
}

function describeLine({ title }: JudgedProblem, file: string, status: string, score: number | undefined) {
  return `${title}, ${file}: ${status}${score === undefined ? '' : `, ${score} points`}`
}

function expectHidden({ problem, program, shownToOwner, shownToStaff }: Judged): void {
  const place = `${problem.title}, ${program.file}`
  expect(shownToOwner, place).not.toMatch(/"(judge_message|transcript)"/)
  for (const text of problem.hides ?? []) {
    expect(shownToOwner, place).not.toContain(text)
    expect(shownToStaff, place).not.toContain(text)
  }
}

/** A verdict with the messages of the last judged test case. */
type Judged = Awaited<ReturnType<typeof readVerdict>>

type Submitted = { readonly id: string; readonly problem: JudgedProblem; readonly program: JudgedProgram }

/** Starts a service with a worker, and creates the problems. */
async function openJudge(problems: readonly JudgedProblem[]) {
  const { service, stop, root } = await startJudging()
  const owner = await register(service.url, OWNER)
  const listed = await orThrow(root.client.GET('/v1/languages'))
  const languages = new Map(listed.map(({ name, id }) => [name, id]))
  const problemIds = new Map<JudgedProblem, number>()
  for (const problem of problems) problemIds.set(problem, await createProblem(service, root.token, problem))
  return {
    stop,
    async judgeAll(batch: readonly JudgedProblem[]): Promise<Judged[]> {
      const submitted: Submitted[] = []
      for (const problem of batch)
        for (const program of problem.programs) {
          const { language, source_code } = readProgram(problem.folder, program.file)
          const [language_id, problem_id] = [languages.get(language) ?? '', problemIds.get(problem) ?? 0]
          const body = { user_id: owner.id, problem_id, language_id, source_code }
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

async function createProblem(service: ProductionService, token: string, problem: JudgedProblem) {
  const { status, body } = await service.request('POST', '/v1/problems', { token, body: makeBody(problem) })
  expect({ status, error: body.error }, problem.title).toEqual({ status: 201, error: undefined })
  return Number(body.id)
}

/** Waits for the verdict. Throws `WaitTimeoutError` after five minutes. */
async function readVerdict(
  service: ProductionService,
  staffToken: string,
  owner: Awaited<ReturnType<typeof register>>,
  { id, problem, program }: Submitted,
) {
  await waitForVerdict(owner.client, id, { maxDelayMs: MAX_POLL_DELAY_MS })
  const record = await service.request('GET', `/v1/submissions/${id}`, { token: owner.token })
  const judgings = await service.request('GET', `/v1/submissions/${id}/judgings`, { token: staffToken })
  const ofOwner = record.body.test_case_results.at(-1)
  const ofStaff = judgings.body[0].test_case_results.at(-1)
  return {
    ...{ problem, program, status: String(record.body.reason ?? record.body.status) },
    ...{ score: record.body.score as number | undefined, maxScore: record.body.max_score },
    judgeMessage: String(ofStaff?.judge_message ?? ''),
    teamMessage: String(ofOwner?.team_message ?? ''),
    /** The owner's record and the list of judgings, as JSON. */
    ...{ shownToOwner: record.text, shownToStaff: judgings.text },
  }
}

const LANGUAGES = new Map(Object.entries({ '.c': 'C', '.cpp': 'C++', '.js': 'JavaScript', '.py': 'Python' }))

/** Returns the body that creates the problem. Throws if a file of its validator is missing. */
function makeBody(problem: JudgedProblem): object {
  const { title, folder, tests, validation, programs, hides, ...options } = problem
  return {
    ...{ title, identifier: folder, prompt: 'A problem of the tests.', difficulty: 'EASY' },
    ...{ accept_timeout: 10, execution_timeout: 5, memory_limit: 256, public: true },
    ...options,
    ...(validation && { validation: withContents(folder, validation) }),
    test_cases: tests.map(([input, expected_output]) => ({ input, expected_output, hidden: false })),
  }
}

function readProgram(folder: string, file: string) {
  const language = LANGUAGES.get(extname(file))
  if (language === undefined) throw new Error(`no language has the extension of ${file}`)
  return { language, source_code: readText(join(import.meta.dirname, folder, file)) }
}

function withContents(folder: string, { files, ...validation }: JudgedValidation): object {
  const contents = files?.map((name) => {
    const own = join(import.meta.dirname, folder, name)
    const path = existsSync(own) ? own : join(import.meta.dirname, 'testlib', name)
    return { name, content: readText(path) }
  })
  return { ...validation, ...(contents && { files: contents }) }
}

const readText = (path: string) => readFileSync(path, 'utf8')
