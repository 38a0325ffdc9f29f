import { createJudgeClient, encodeSecret } from '@judge-data-layer/client'
import { JudgeApiError, NoResponseError, orThrow } from '@judge-data-layer/client/errors'
import { nextCursor } from '@judge-data-layer/client/paging'
import { waitForRun, waitForVerdict } from '@judge-data-layer/client/waiting'
import { watch } from '@judge-data-layer/client/watch'

const baseUrl = process.env.JUDGE_API_URL ?? 'http://127.0.0.1:5000'
const client = createJudgeClient({ baseUrl })

const email = 'ada@example.org'
const registration = { name: 'Ada', email, password: 'a long password' }
const session = await orThrow(client.POST('/v1/basic_register', { body: registration }))
client.setToken(session.token)

const { data, error } = await client.POST('/v1/basic_login', { body: { email, password: 'a wrong one' } })
if (data) client.setToken(data.token)
else if (error.code === 'INVALID_CREDENTIALS') console.log('Wrong e-mail or password')
else if (error.code === 'RATE_LIMIT_EXCEEDED') console.log('Too many tries, wait a minute')
else throw new Error(error.message)

try {
  const unknown = { path: { user_id: '00000000-0000-4000-8000-000000000000' } }
  await orThrow(client.GET('/v1/users/{user_id}', { params: unknown, signal: AbortSignal.timeout(5000) }))
} catch (err) {
  if (err instanceof JudgeApiError) console.log(err.status, err.code, err.requestId, err.retryAfterSeconds)
  else if (err instanceof NoResponseError) console.log('The service is out of reach', err.status)
  else throw err
}

const titles: string[] = []
let after: string | undefined
do {
  const page = { limit: 20, ...(after && { after }) }
  const { data, error, response } = await client.GET('/v1/problems', { params: { query: page } })
  if (error) throw new JudgeApiError(response, error)
  titles.push(...data.map(({ title }) => title))
  after = nextCursor(response)
} while (after)
console.log(titles.join(', '))

const problems = await orThrow(client.GET('/v1/problems', { params: { query: { limit: 20 } } }))
const languages = await orThrow(client.GET('/v1/languages'))
const submission = await orThrow(
  client.POST('/v1/submissions', {
    body: {
      user_id: session.id,
      problem_id: problems[0]?.id ?? 0,
      language_id: languages[0]?.id ?? '',
      source_code: 'print(input())',
    },
  }),
)

const verdict = waitForVerdict(client, submission.id, {
  timeoutMs: 60_000,
  onProgress: (status, number) => console.log(`poll ${number}: ${status}`),
})

const headers = { authorization: encodeSecret(process.env.JUDGE_PASSWORD ?? '') }
const { token } = await orThrow(client.POST('/v1/login_judge', { headers }))
const judge = createJudgeClient({ baseUrl, token })
const params = { path: { submission_id: submission.id } }
await orThrow(judge.PATCH('/v1/submissions/{submission_id}', { params, body: { status: 'ACCEPTED' } }))

console.log((await verdict).status)

const again = await orThrow(
  client.POST('/v1/submissions', {
    body: {
      user_id: session.id,
      problem_id: problems[0]?.id ?? 0,
      language_id: languages[0]?.id ?? '',
      source_code: 'print(input())',
    },
  }),
)
for await (const event of watch(client)) {
  if (event.type === 'reset') console.log('read everything again')
  // After this event nothing is missed: read what you show now.
  if (event.type === 'ready') {
    const params = { path: { submission_id: again.id } }
    await orThrow(
      judge.PATCH('/v1/submissions/{submission_id}', { params, body: { status: 'WRONG_ANSWER' } }),
    )
  }
  if (event.type === 'submission' && event.data.status !== 'PENDING') {
    console.log(`watched: ${event.data.status}`)
    break
  }
}

const body = { language_id: languages[0]?.id ?? '', source_code: 'print(input())', stdin: 'Hello' }
const runId = await orThrow(createJudgeClient({ baseUrl }).POST('/v1/public/input_submissions', { body }))
const leaving = new AbortController()
const run = waitForRun(client, runId, {
  route: '/v1/public/input_submissions/{id}',
  signal: leaving.signal,
  onProgress: (status) => leaving.abort(new Error(`left while it was ${status}`)),
})
await run.catch((err: Error) => console.log(err.message))
