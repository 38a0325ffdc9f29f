/** A program, and its verdict by the real worker. */
export interface Program {
  /** Unique text in its source code. */
  readonly marker: string
  readonly verdict: 'ACCEPTED' | 'WRONG_ANSWER'
}

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
