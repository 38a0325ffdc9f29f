/** The service is out of reach or too slow, refuses the judge, or sent an unexpected response. */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError'

  constructor(message: string, cause?: unknown) {
    super(message, { cause })
  }
}

/** The service does not accept the judge's password. */
export class PasswordRefusedError extends ServiceError {
  override readonly name = 'PasswordRefusedError'

  constructor() {
    super('the service refuses JUDGE_PASSWORD: the service and the worker must have the same password')
  }
}

/** The problem needs capabilities that this worker lacks (D41); the message names them. */
export class WorkerTooOldError extends ServiceError {
  override readonly name = 'WorkerTooOldError'
}
