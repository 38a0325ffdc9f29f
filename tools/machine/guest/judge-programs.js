// Registers an admin, creates a problem, submits right and wrong programs, and some that exceed a limit,
// in two languages, and compares the verdicts. Exits with 1 if one differs, or if a request fails.
//
//   node judge-programs.js http://127.0.0.1:5000
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

const PROGRAMS = {
  C: {
    right: '#include <stdio.h>\nint main(void) { puts("works"); }\n',
    wrong: '#include <stdio.h>\nint main(void) { puts("fails"); }\n',
    slow: 'int main(void) { for (volatile int i = 0;; i++) {} }\n',
    // systemd notices that the kernel ends this program, and must not end the unit.
    greedy:
      '#include <stdlib.h>\n#include <string.h>\n' +
      'int main(void) { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }\n',
  },
  JavaScript: {
    right: 'console.log("works")\n',
    wrong: 'console.log("fails")\n',
    slow: 'while (true) {}\n',
  },
}
const VERDICTS = {
  ...{ right: 'ACCEPTED', wrong: 'WRONG_ANSWER' },
  ...{ slow: 'TIME_LIMIT_EXCEEDED', greedy: 'MEMORY_LIMIT_EXCEEDED' },
}
const PAUSE_MS = 500
const TOO_MANY_REQUESTS = 429

const [url] = process.argv.slice(2)
let token
const account = { name: 'Machine', email: 'machine@example.org', password: randomUUID() }
const session = await send('POST', '/v1/basic_register', account)
token = session.token
const problem = await send('POST', '/v1/problems', {
  ...{ title: 'Works', identifier: 'works', prompt: 'Print "works".', difficulty: 'EASY' },
  // Long limits: emulated CPUs are slow.
  ...{ public: false, accept_timeout: 30, execution_timeout: 10, memory_limit: 256, user_id: session.id },
  ...{ category_ids: [], test_cases: [{ input: '1', expected_output: 'works\n', hidden: false }] },
})
const languages = await send('GET', '/v1/languages')
for (const [name, programs] of Object.entries(PROGRAMS)) {
  const language = languages.find((candidate) => candidate.name === name)
  for (const [kind, source] of Object.entries(programs)) {
    const { status, stderr } = await judge(language, source)
    console.log(`${name}, ${kind}: ${status}`)
    if (status === VERDICTS[kind]) continue
    console.log(`expected ${VERDICTS[kind]}`, stderr)
    process.exitCode = 1
  }
}

/** The submission with its verdict. */
async function judge({ id: languageId }, source) {
  const submission = await send('POST', '/v1/submissions', {
    ...{ user_id: session.id, problem_id: problem.id, language_id: languageId },
    source_code: source,
  })
  while (true) {
    const { status } = await send('GET', `/v1/submissions/${submission.id}/status`)
    if (status !== 'PENDING') return send('GET', `/v1/submissions/${submission.id}`)
    await sleep(PAUSE_MS)
  }
}

async function send(method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: { ...(token && { authorization: token }), ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status === TOO_MANY_REQUESTS) {
    await sleep(PAUSE_MS)
    return send(method, path, body)
  }
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}
