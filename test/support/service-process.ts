import { startLocalService } from '../../tools/local-servers/service.ts'
import { SECRETS, UNLIMITED } from './app.ts'

/** Starts the real service as a process on a free port, and waits until it listens. */
export function startServiceProcess(variables: Record<string, string>) {
  return startLocalService({
    variables: {
      ...{ ...SECRETS, ...UNLIMITED },
      ...{ BASIC_REGISTRATION_ENABLED: 'true', ADMIN_EMAILS: 'root@example.org' },
      ...variables,
    },
  })
}

export type ServiceProcess = Awaited<ReturnType<typeof startServiceProcess>>
