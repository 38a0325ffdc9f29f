export interface Program {
  readonly marker: string
  readonly verdict: 'ACCEPTED' | 'WRONG_ANSWER'
}

/** The time of each test case of a verified program, by the instant worker. */
export const CASE_SECONDS = 0.3
/** The time limit that the service computes of it: at least twice as long, in whole seconds. */
export const LIMIT_SECONDS = 1

const SLOW = '// slow'

/** A program that the instant worker does not run. */
export const makeText = (marker: string, isSlow: boolean) => `// ${marker}${isSlow ? `\n${SLOW}` : ''}`

/** Whether the instant worker takes long to judge it. */
export const isSlow = (sourceCode: string) => sourceCode.endsWith(SLOW)

/** Runs for a while, so that a worker can be killed in the middle. */
export function makeProgram({ marker, verdict }: Program): string {
  const wrong = verdict === 'WRONG_ANSWER' ? `+ '?'` : ''
  return `// ${marker}\nsetTimeout(() => console.log(require('fs').readFileSync(0, 'utf8').trim() ${wrong}), 150)\n`
}
