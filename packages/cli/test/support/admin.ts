import { useService } from '../../../client/test/support/listening-app.ts'
import { type Invocation, judge, judgeJson } from './command-line.ts'

/** Gives a file's tests a service, and an admin who runs commands there. */
export async function useAdmin(variables?: Record<string, string>) {
  const { service, startProxy } = await useService(variables)
  const { token } = await service.createPerson({ admin: true })
  const env: Record<string, string> = { TZ: 'UTC', JUDGE_URL: service.url, JUDGE_USER_TOKEN: token }
  const here = (options: Invocation = {}) => ({ ...options, env: { ...env, ...options.env } })
  return {
    ...{ service, startProxy, env },
    /** Sends requests as the admin. */
    root: service.as(token),
    /** Runs a command as the admin; `env` replaces single variables. */
    run: (argv: readonly string[], options?: Invocation) => judge(argv, here(options)),
    runJson: (argv: readonly string[], options?: Invocation, exitCode = 0) =>
      judgeJson(argv, here(options), exitCode),
    register: (name: string, password = 'a long password'): Promise<{ id: string; token: string }> =>
      service.anonymous.post('/v1/basic_register', { name, email: `${name}@example.org`, password }),
    /** The environment of a user without privileges. */
    async asUser(): Promise<Invocation> {
      return { env: { JUDGE_USER_TOKEN: (await service.createPerson()).token } }
    },
    /** Resolves to the status. */
    async logIn(email: string, password: string): Promise<number> {
      return (await service.anonymous.send('POST', '/v1/basic_login', { email, password })).status
    },
  }
}
