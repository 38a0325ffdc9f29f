import { expect, type TestContext } from 'vitest'
import { openTestApp } from '../../../../test/support/app.ts'
import { createProblem } from '../../../../test/support/problems.ts'
import { createJudgeClient } from '../../src/client.ts'
import { orThrow } from '../../src/errors.ts'
import { startTroubledServer, type Trouble } from './troubled-server.ts'

export type Submitter = Awaited<ReturnType<Awaited<ReturnType<typeof openListeningApp>>['createSubmitter']>>

export async function openListeningApp(variables?: Record<string, string>) {
  const service = await openTestApp(variables)
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const connect = (token?: string) =>
    createJudgeClient({ baseUrl: url, ...(token !== undefined && { token }) })
  return {
    ...service,
    url,
    connect,
    /** Creates a user and a public problem. */
    createSubmitter: async () => {
      const admin = await service.createPerson({ admin: true })
      const user = await service.createPerson()
      const [language] = await orThrow(connect().GET('/v1/languages'))
      const id = await createProblem(service, admin, { title: 'Echo', identifier: 'echo', public: true })
      const ids = { user_id: user.id, problem_id: id, language_id: language?.id ?? '' }
      return { ...user, client: connect(user.token), submission: { ...ids, source_code: 'print(1)' } }
    },
  }
}

/** Gives a file's tests a service; `startProxy` starts a proxy in front of it for one test. */
export async function useService(variables?: Record<string, string>) {
  const service = await openListeningApp(variables)
  return {
    service,
    /** The test must use up the proxy's troubles. */
    async startProxy({ onTestFinished }: Pick<TestContext, 'onTestFinished'>, ...troubles: Trouble[]) {
      const proxy = await startTroubledServer(service.url, troubles)
      onTestFinished(async () => {
        await proxy.close()
        expect(troubles).toEqual([])
      })
      return proxy
    },
  }
}
