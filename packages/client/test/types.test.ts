import { describe, expectTypeOf, it } from 'vitest'
import type { JudgeClient, Schemas } from '../src/client.ts'
import { type ErrorCode, type JudgeApiError, orThrow } from '../src/errors.ts'
import { waitForRun, waitForVerdict } from '../src/waiting.ts'

// The compiler checks these; the functions are never called.

const submission = { user_id: '', problem_id: 1, language_id: '', source_code: '' }
const login = { email: '', password: '' }

describe('the types', () => {
  it('give each route its own type of data', () => {
    const submit = (client: JudgeClient) => orThrow(client.POST('/v1/submissions', { body: submission }))
    expectTypeOf<Awaited<ReturnType<typeof submit>>>().toEqualTypeOf<Schemas['CreatedSubmission']>()
    const remove = (client: JudgeClient) =>
      orThrow(client.DELETE('/v1/users/{user_id}', { params: { path: { user_id: '' } } }))
    expectTypeOf<Awaited<ReturnType<typeof remove>>>().toEqualTypeOf<undefined>()
    const run = (client: JudgeClient) =>
      orThrow(client.POST('/v1/public/input_submissions', { body: { ...submission, stdin: '' } }))
    expectTypeOf<Awaited<ReturnType<typeof run>>>().toEqualTypeOf<string>()
    expectTypeOf(waitForVerdict).returns.resolves.toEqualTypeOf<Schemas['Submission']>()
    expectTypeOf(waitForRun).returns.resolves.toEqualTypeOf<Schemas['Run']>()
  })

  it('list exactly the error codes of each route, so that the compiler checks a switch', () => {
    const logIn = async (client: JudgeClient): Promise<string> => {
      const { data, error } = await client.POST('/v1/basic_login', { body: login })
      if (!error) return data.token
      switch (error.code) {
        case 'INVALID_CREDENTIALS':
        case '400':
        case 'PAYLOAD_TOO_LARGE':
        case 'RATE_LIMIT_EXCEEDED':
        case 'INTERNAL':
        case 'UNAVAILABLE':
          return error.message
      }
    }
    const forgetful = async (client: JudgeClient) => {
      const { error } = await client.POST('/v1/basic_login', { body: login })
      if (error && error.code !== 'INVALID_CREDENTIALS' && error.code !== 'RATE_LIMIT_EXCEEDED') {
        // @ts-expect-error four codes are left
        const rest: never = error.code
        // @ts-expect-error a code of other routes
        return error.code === 'TEAM_NAME_TAKEN' ? rest : undefined
      }
    }
    expectTypeOf(logIn).returns.resolves.toBeString()
    expectTypeOf(forgetful).toBeFunction()
    expectTypeOf<JudgeApiError['code']>().toEqualTypeOf<ErrorCode>()
  })
})
