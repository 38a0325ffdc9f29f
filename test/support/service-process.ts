import { startLocalService } from '../../tools/local-servers/service.ts'
import { JUDGE_PASSWORD, JWT_SIGNING_SECRET, WEB_BRIDGE_SECRET } from './app.ts'

export interface ServiceProcess {
  readonly url: string
  /** Sends a signal and waits until the process has ended; answers its exit code, null after a signal that ends it. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
}

/** Starts the real service in a process of its own, on a free port, and waits until it listens. */
export function startServiceProcess(variables: Record<string, string>): Promise<ServiceProcess> {
  return startLocalService({
    variables: {
      JWT_SIGNING_SECRET,
      JUDGE_PASSWORD,
      WEB_BRIDGE_SECRET,
      BASIC_REGISTRATION_ENABLED: 'true',
      ADMIN_EMAILS: 'root@example.org',
      RATE_LIMIT_SUBMISSIONS: '1000000/1000000',
      RATE_LIMIT_ACCOUNTS: '1000000/1000000',
      ...variables,
    },
  })
}
