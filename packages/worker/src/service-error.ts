/** The service could not be used: out of reach, too slow, refusing the judge, or answering what was not agreed. */
export class ServiceError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ServiceError'
  }
}

/** The service does not accept the judge's password. */
export class PasswordRefusedError extends ServiceError {
  constructor() {
    super('the service refuses JUDGE_PASSWORD: both must have the same')
    this.name = 'PasswordRefusedError'
  }
}
