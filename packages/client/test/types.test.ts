import { describe, expectTypeOf, it } from 'vitest'
import type { JudgeClient, Schemas } from '../src/client.ts'
import { type ErrorCode, JudgeApiError, orThrow } from '../src/errors.ts'
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

  it('reject unknown routes, fields and parameters', () => {
    const wrong = async (client: JudgeClient) => {
      // @ts-expect-error there is no such route
      await client.GET('/v1/problemz', {})
      // @ts-expect-error the route has no such method
      await client.DELETE('/v1/submissions', {})
      // @ts-expect-error a field is misspelt
      await client.POST('/v1/basic_login', { body: { email: '', passwort: '' } })
      // @ts-expect-error a field is missing
      await client.POST('/v1/basic_login', { body: { email: '' } })
      // @ts-expect-error the path's parameter is missing
      await client.GET('/v1/submissions/{submission_id}')
      // @ts-expect-error the query has no such parameter
      await client.GET('/v1/problems', { params: { query: { limt: 3 } } })
      const params = { path: { submission_id: '' } }
      // @ts-expect-error no such status
      await client.PATCH('/v1/submissions/{submission_id}', { params, body: { status: 'FINE' } })
      const { data } = await client.GET('/v1/languages')
      // @ts-expect-error an error has no data
      data.length
      // @ts-expect-error a response has no such field
      return data?.[0]?.nome
    }
    expectTypeOf(wrong).toBeFunction()
    expectTypeOf(JudgeApiError).toBeConstructibleWith(new Response(), {
      code: 'NOT_FOUND',
      error: '',
      message: '',
    })
  })
})
