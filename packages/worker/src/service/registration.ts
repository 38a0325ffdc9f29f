import type { Schemas } from '@judge-data-layer/client'
import { describeError, type Logger } from '../shared/logger.ts'
import { PasswordRefusedError } from './service-error.ts'

type Registered = Schemas['JudgeBody']

export interface RegistrationOptions {
  readonly send: (body: Registered) => Promise<void>
  /** What the worker says of itself now. */
  readonly describe: () => Registered
  readonly logger: Logger
  /** Default: 15 seconds. */
  readonly pauseMs?: number
}

export type Registration = ReturnType<typeof startRegistration>

const PAUSE_MS = 15_000
/** After a failure the service is asked sooner, so that it soon knows the worker again. */
const RETRY_MS = 5000

/** Registers the worker now and again and again. Failures disturb nothing else. */
export function startRegistration(options: RegistrationOptions) {
  const { send, describe, logger, pauseMs = PAUSE_MS } = options
  let fault: string | undefined
  let isStopping = false
  let hasRegistered = false
  let timer: NodeJS.Timeout | undefined
  const repeat = async () => {
    try {
      await send({ ...describe(), ...(!hasRegistered && { started: true }) })
      hasRegistered = true
      if (fault !== undefined) logger.info({}, 'the service knows this worker again')
      fault = undefined
    } catch (err) {
      if (fault === undefined && !isStopping) logger.warn({ err }, 'the service did not register this worker')
      fault =
        err instanceof PasswordRefusedError
          ? 'the service refuses JUDGE_PASSWORD'
          : `the service cannot be used: ${describeError(err)}`
    }
    if (isStopping) return
    timer = setTimeout(start, fault === undefined ? pauseMs : Math.min(RETRY_MS, pauseMs)).unref()
  }
  let running: Promise<void>
  const start = () => {
    running = repeat()
  }
  running = repeat()
  return {
    /** Why the last registration failed; undefined after a success. */
    fault: () => fault,
    /** Tells the service that the worker stops. Never rejects. */
    async stop() {
      isStopping = true
      clearTimeout(timer)
      await running
      if (fault === undefined)
        await send({ ...describe(), stopped: true }).catch((err: unknown) =>
          logger.warn({ err }, 'the service does not know that this worker stops'),
        )
    },
  }
}
