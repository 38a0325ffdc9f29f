/** The problem or its validator is at fault, not the submission. The message is for staff. */
export class JudgeError extends Error {
  override readonly name = 'JudgeError'
}
