import { NoResponseError } from '@judge-data-layer/client/errors'
import { describeError } from './logger.ts'
import { PasswordRefusedError, ServiceError } from '../service/service-error.ts'

const LONGEST_MESSAGE = 500

/** Why a worker cannot start: one line with the variable to correct and without secrets. */
export class StartError extends Error {
  constructor(
    variable:
      | ('JUDGE_PASSWORD' | 'JUDGE_API_URL' | 'AMQP_URL' | 'AMQP_QUEUE')
      | ('METRICS_PORT' | 'WORKER_METRICS_PORT'),
    problem: string,
    cause?: unknown,
  ) {
    // A server wrote part of the text: it must not add lines or control a terminal.
    const text = `${variable}: ${problem}`
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, LONGEST_MESSAGE)
    super(`the judge worker cannot start: ${text}`, { cause })
    this.name = 'StartError'
  }
}

/** The start error for a `ServiceError`; returns other errors unchanged. */
export function describeFailedLogin(apiUrl: string, err: unknown): unknown {
  if (!(err instanceof ServiceError)) return err
  const { origin, pathname } = new URL(apiUrl)
  const address = `${origin}${pathname.replace(/\/+$/, '')}`
  if (err instanceof PasswordRefusedError)
    return new StartError(
      'JUDGE_PASSWORD',
      `the service at ${address} refuses it; the service and the worker must have the same password`,
      err,
    )
  return new StartError(
    'JUDGE_API_URL',
    `the judge cannot log in to the service at ${address}: ${findReason(err)}`,
    err,
  )
}

function findReason(err: ServiceError): string {
  const reason = findConnectionError(err)
  return reason === undefined ? err.message : describeError(reason)
}

/** Why a connection failed: `fetch` hides the system's error two causes deep. */
export function findConnectionError({ cause }: ServiceError): unknown {
  let reason = cause instanceof NoResponseError && cause.status === undefined ? cause.cause : undefined
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause
  return reason
}
