import { setTimeout as sleep } from 'node:timers/promises'
import { JudgeApiError, NoResponseError } from '@judge-data-layer/client/errors'
import { describeError, type Logger } from '../shared/logger.ts'
import { StartError } from '../shared/start-error.ts'
import type { HttpSession } from './http-session.ts'
import { PasswordRefusedError, ServiceError } from './service-error.ts'

export interface FirstLoginOptions {
  readonly apiUrl: string
  /** How long to wait for a service that is starting. */
  readonly waitMs: number
  readonly logger: Logger
  /** Between two tries; default: 2 seconds. */
  readonly pauseMs?: number
  /** Milliseconds since any start; default: the system's clock. */
  readonly now?: () => number
}

const LOGIN_TIMEOUT_MS = 7000
const PAUSE_MS = 2000
/** Of a proxy without its service, and of a service without its database. */
const STARTING_STATUSES = [502, 503, 504]
/** Also of a proxy that closes the connection, and of a machine whose network is starting. */
const STARTING_CODES = [
  ...['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'],
]

/**
 * Logs in. A service that refuses connections, does not respond or is not available may be
 * starting: it is asked again for `waitMs`. Throws `StartError`.
 */
export async function logInFirst(session: HttpSession, options: FirstLoginOptions): Promise<void> {
  const { apiUrl, waitMs, logger, pauseMs = PAUSE_MS, now = () => performance.now() } = options
  const startedMs = now()
  for (let failures = 0; ; failures += 1) {
    try {
      return await session.logIn(LOGIN_TIMEOUT_MS)
    } catch (err) {
      const isOver = now() - startedMs + pauseMs > waitMs
      if (isOver || !mayBeStarting(err)) throw describeFailedLogin(apiUrl, err)
      if (failures === 0)
        logger.warn(
          { reason: describeError(err), seconds: waitMs / 1000 },
          'the service does not respond yet: the worker waits for it',
        )
      await sleep(pauseMs)
    }
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

function mayBeStarting(err: unknown): boolean {
  if (!(err instanceof ServiceError) || err.cause === undefined) return false
  const { cause } = err
  // No response in time.
  if (!(cause instanceof NoResponseError || cause instanceof JudgeApiError)) return true
  if (cause.status !== undefined) return STARTING_STATUSES.includes(cause.status)
  const reason = findConnectionError(err)
  return reason instanceof Error && 'code' in reason && STARTING_CODES.includes(String(reason.code))
}

function findReason(err: ServiceError): string {
  const reason = findConnectionError(err)
  return reason === undefined ? err.message : describeError(reason)
}

/** Why a connection failed: `fetch` hides the system's error two causes deep. */
function findConnectionError({ cause }: ServiceError): unknown {
  let reason = cause instanceof NoResponseError && cause.status === undefined ? cause.cause : undefined
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause
  return reason
}
