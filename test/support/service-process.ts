import { startLocalService } from '../../tools/local-servers/service.ts'
import { JUDGE_PASSWORD, JWT_SIGNING_SECRET, WEB_BRIDGE_SECRET } from './app.ts'

export interface ServiceProcess {
  readonly url: string
  /** Stops it (SIGSTOP) until `thaw`. */
  freeze(): void
  thaw(): void
  /** Sends a signal and waits for the end; resolves to the exit code, null if the signal killed it. */
  end(signal: 'SIGINT' | 'SIGKILL' | 'SIGTERM'): Promise<number | null>
}

/** Starts the real service as a process on a free port, and waits until it listens. */
export function startServiceProcess(variables: Record<string, string>): Promise<ServiceProcess> {
  return startLocalService({
    variables: {
      JWT_SIGNING_SECRET,
      JUDGE_PASSWORD,
      WEB_BRIDGE_SECRET,
      BASIC_REGISTRATION_ENABLED: 'true',
      ADMIN_EMAILS: 'root@example.org',
      RATE_LIMIT_SUBMISSIONS: '1000000/1000000',
      RATE_LIMIT_WRITES: '1000000/1000000',
      RATE_LIMIT_ACCOUNTS: '1000000/1000000',
      RATE_LIMIT_FAILED_LOGINS: '1000000/1000000',
      RATE_LIMIT_FAILED_SECRETS: '1000000/1000000',
      LISTS_PER_ACCOUNT: '1000',
      ...variables,
    },
  })
}
