/** Prevents the start. The message is one line for a person, and names the variable (D38). */
export class StartError extends Error {
  constructor(variable: string, reason: string, cause?: unknown) {
    super(`${variable}: ${reason.replaceAll(/\s+/g, ' ')}`, { cause })
    this.name = 'StartError'
  }
}
