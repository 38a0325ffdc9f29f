import { startLocalService } from '../../tools/local-servers/service.ts'
import { JUDGE_PASSWORD, JWT_SIGNING_SECRET, UNLIMITED, WEB_BRIDGE_SECRET } from './app.ts'

/** Starts the real service as a process on a free port, and waits until it listens. */
export function startServiceProcess(variables: Record<string, string>) {
  return startLocalService({
    variables: {
      ...{ JWT_SIGNING_SECRET, JUDGE_PASSWORD, WEB_BRIDGE_SECRET, ...UNLIMITED },
      ...{ BASIC_REGISTRATION_ENABLED: 'true', ADMIN_EMAILS: 'root@example.org' },
      ...variables,
    },
  })
}

export type ServiceProcess = Awaited<ReturnType<typeof startServiceProcess>>
