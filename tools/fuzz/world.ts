import { type People, send } from './people.ts'

/** Creates one record of each kind in a running contest, so that valid requests find something. */
export async function createWorld(url: string, people: People): Promise<void> {
  const as = (caller: 'admin' | 'user') => people.credentialOf(caller) ?? ''
  const name = crypto.randomUUID()
  const post = (path: string, body: object, caller: 'admin' | 'user' = 'admin') =>
    send(url, 'POST', path, as(caller), body)
  const language = await post('/v1/languages', { name: 'Python', extension: 'py', version: name })
  const category = await post('/v1/categories', { name })
  const problem = await post('/v1/problems', {
    ...{ title: name, identifier: name, prompt: 'Add.', difficulty: 'EASY', public: true },
    test_cases: [
      { input: '1 2', expected_output: '3' },
      { input: '2 3', expected_output: '5', hidden: true },
    ],
    category_ids: [category.id],
  })
  const event = await post('/v1/events', {
    ...{ title: name, start_time: '2020-01-01T00:00:00Z', end_time: '2096-01-01T00:00:00Z', teams: true },
    problems: [{ problem_id: problem.id }],
  })
  const within = `/v1/events/${event.id}`
  await post(`${within}/teams`, { name: 'one' }, 'user')
  await post(`${within}/questions`, { question: 'Why?', problem_id: problem.id }, 'user')
  const [, claims = ''] = as('user').split('.')
  const { id: user_id } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const program = { user_id, language_id: language.id, source_code: 'print(3)' }
  await post('/v1/submissions', { ...program, problem_id: problem.id, event_id: event.id }, 'user')
  await post('/v1/input_submissions', { ...program, stdin: '' }, 'user')
}
