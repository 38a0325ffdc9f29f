/** Prevents the start: one message names every invalid variable and its valid values (D38). */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

/** Prevents the start too. The message is one line for a person, and names the variable (D38). */
export class StartError extends Error {
  constructor(variable: string, reason: string, cause?: unknown) {
    super(`${variable}: ${reason.replaceAll(/\s+/g, ' ')}`, { cause })
    this.name = 'StartError'
  }
}
