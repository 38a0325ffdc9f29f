// Creates a problem as an admin, submits a right and a wrong program in each language that is named,
// and compares the verdicts. Exits with 1 if one differs or does not come within a minute.
//
//   EMAIL=… PASSWORD=… node judge-one.js http://127.0.0.1:5000 JavaScript Python
import { setTimeout as sleep } from 'node:timers/promises'

const PROGRAMS = {
  C: (line) => `#include <stdio.h>\nint main(void) { puts("${line}"); }\n`,
  'C++': (line) => `#include <iostream>\nint main() { std::cout << "${line}\\n"; }\n`,
  Java: (line) =>
    `class Main { public static void main(String[] args) { System.out.println("${line}"); } }\n`,
  JavaScript: (line) => `console.log('${line}')\n`,
  Python: (line) => `print('${line}')\n`,
}
const PATIENCE_MS = 60_000
const PAUSE_MS = 200
const TOO_MANY_REQUESTS = 429

const [url, ...names] = process.argv.slice(2)
const { EMAIL: email, PASSWORD: password } = process.env
let token
const session = await send('POST', '/v1/basic_login', { email, password })
token = session.token
const problem = await send('POST', '/v1/problems', {
  ...{ title: 'Works', identifier: `works-${Date.now()}`, prompt: 'Print "works".', difficulty: 'EASY' },
  ...{ public: false, accept_timeout: 10, execution_timeout: 5, memory_limit: 256, user_id: session.id },
  ...{ category_ids: [], test_cases: [{ input: '1', expected_output: 'works\n', hidden: false }] },
})
const languages = await send('GET', '/v1/languages')
for (const name of names) {
  await expectVerdict(name, 'works', 'ACCEPTED')
  await expectVerdict(name, 'fails', 'WRONG_ANSWER')
}

async function expectVerdict(name, line, expected) {
  const language = languages.find((candidate) => candidate.name === name)
  const submission = await send('POST', '/v1/submissions', {
    ...{ user_id: session.id, problem_id: problem.id, language_id: language.id },
    source_code: PROGRAMS[name](line),
  })
  const deadline = Date.now() + PATIENCE_MS
  let status = 'PENDING'
  while (status === 'PENDING' && Date.now() < deadline) {
    await sleep(PAUSE_MS)
    status = (await send('GET', `/v1/submissions/${submission.id}/status`)).status
  }
  console.log(`${name} ${line}: ${status}`)
  if (status !== expected) process.exitCode = 1
}

async function send(method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: { ...(token && { authorization: token }), ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status === TOO_MANY_REQUESTS && performance.now() < PATIENCE_MS) {
    await sleep(PAUSE_MS)
    return send(method, path, body)
  }
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}
