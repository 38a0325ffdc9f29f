import { startLocalService } from '../../tools/local-servers/service.ts'
import { JUDGE_PASSWORD, JWT_SIGNING_SECRET, UNLIMITED, WEB_BRIDGE_SECRET } from './app.ts'

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
      ...{ JWT_SIGNING_SECRET, JUDGE_PASSWORD, WEB_BRIDGE_SECRET, ...UNLIMITED },
      ...{ BASIC_REGISTRATION_ENABLED: 'true', ADMIN_EMAILS: 'root@example.org' },
      ...variables,
    },
  })
}
