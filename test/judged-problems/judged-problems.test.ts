import { expect } from 'vitest'
import { findBelongings } from '../../packages/worker/test/hostile/traces.ts'
import { catalogue } from './catalogue.ts'
import { hostileCatalogue } from './hostile-catalogue.ts'
import { type Judged, openJudge } from './judge-all.ts'
import type { JudgedProblem } from './judged-problem.ts'
import { ROUNDS, testSandbox } from './judging-service.ts'

testSandbox('every program gets its verdict and score each time, two programs at once', () =>
  judgeRounds(catalogue, ROUNDS),
)

testSandbox('misbehaving validators and programs end, and the right side is blamed', () =>
  judgeRounds(hostileCatalogue, 1),
)

async function judgeRounds(problems: readonly JudgedProblem[], rounds: number): Promise<void> {
  const atStart = findBelongings()
  const judge = await openJudge(problems)
  for (let round = 1; round <= rounds; round += 1) {
    const judged = await judge.judgeAll()
    expect(judged.map(describeFound), `round ${round}`).toEqual(judged.map(describeExpected))
    for (const one of judged) expectHidden(one)
  }
  await judge.stop()
  await expect.poll(() => findBelongings().filter((item) => !atStart.includes(item))).toEqual([])
}

/** One line for each program; without the values that its row does not compare. */
function describeFound({ problem, program, status, score, maxScore, ...messages }: Judged) {
  const { judgeMessage = '', teamMessage = '' } = program
  const line = describeLine(problem, program.file, status, program.score === undefined ? undefined : score)
  return {
    line,
    maxScore,
    judgeMessage: messages.judgeMessage.includes(judgeMessage) ? judgeMessage : messages.judgeMessage,
    teamMessage: messages.teamMessage.includes(teamMessage) ? teamMessage : messages.teamMessage,
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
