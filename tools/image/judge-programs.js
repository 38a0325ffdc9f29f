// Creates a problem as an admin, submits a right and a wrong program in each named language, and
// compares the verdicts. Exits with 1 if one differs or does not come within a minute.
//
//   EMAIL=… PASSWORD=… node judge-programs.js http://127.0.0.1:5000 JavaScript Python
//
// With EMULATED=1 it registers the admin, also submits programs that exceed a limit, and has the
// patience that an emulated CPU needs.
import { setTimeout as sleep } from 'node:timers/promises'

const PRINTING = {
  C: (line) => `#include <stdio.h>\nint main(void) { puts("${line}"); }\n`,
  'C++': (line) => `#include <iostream>\nint main() { std::cout << "${line}\\n"; }\n`,
  Java: (line) =>
    `class Main { public static void main(String[] args) { System.out.println("${line}"); } }\n`,
  JavaScript: (line) => `console.log('${line}')\n`,
  Python: (line) => `print('${line}')\n`,
}
const EXCEEDING = {
  C: {
    slow: 'int main(void) { for (volatile int i = 0;; i++) {} }\n',
    // systemd notices that the kernel ends this program, and must not end the unit.
    greedy:
      '#include <stdlib.h>\n#include <string.h>\n' +
      'int main(void) { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }\n',
  },
  JavaScript: { slow: 'while (true) {}\n' },
}
const VERDICTS = {
  ...{ works: 'ACCEPTED', fails: 'WRONG_ANSWER' },
  ...{ slow: 'TIME_LIMIT_EXCEEDED', greedy: 'MEMORY_LIMIT_EXCEEDED' },
}
const TOO_MANY_REQUESTS = 429

const [url, ...names] = process.argv.slice(2)
const { EMAIL: email, PASSWORD: password, EMULATED: isEmulated } = process.env
const { pauseMs, patienceMs, ...limits } = isEmulated
  ? { pauseMs: 500, patienceMs: Infinity, accept_timeout: 30, execution_timeout: 10 }
  : { pauseMs: 200, patienceMs: 60_000, accept_timeout: 10, execution_timeout: 5 }
let token
const session = isEmulated
  ? await send('POST', '/v1/basic_register', { name: 'Machine', email, password })
  : await send('POST', '/v1/basic_login', { email, password })
token = session.token
const problem = await send('POST', '/v1/problems', {
  ...{ title: 'Works', identifier: `works-${Date.now()}`, prompt: 'Print "works".', difficulty: 'EASY' },
  ...{ public: false, ...limits, memory_limit: 256, user_id: session.id, category_ids: [] },
  test_cases: [{ input: '1', expected_output: 'works\n', hidden: false }],
})
const languages = await send('GET', '/v1/languages')
for (const name of names) {
  await expectVerdict(name, 'works', PRINTING[name]('works'))
  await expectVerdict(name, 'fails', PRINTING[name]('fails'))
  for (const [kind, source] of Object.entries((isEmulated && EXCEEDING[name]) || {}))
    await expectVerdict(name, kind, source)
}

async function expectVerdict(name, kind, source_code) {
  const { id: language_id } = languages.find((candidate) => candidate.name === name)
  const program = { user_id: session.id, problem_id: problem.id, language_id, source_code }
  const { id } = await send('POST', '/v1/submissions', program)
  const deadline = Date.now() + patienceMs
  let status = 'PENDING'
  while (status === 'PENDING' && Date.now() < deadline) {
    await sleep(pauseMs)
    status = (await send('GET', `/v1/submissions/${id}/status`)).status
  }
  console.log(`${name} ${kind}: ${status}`)
  if (status === VERDICTS[kind]) return
  console.log(`expected ${VERDICTS[kind]}`, (await send('GET', `/v1/submissions/${id}`)).stderr)
  process.exitCode = 1
}

async function send(method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: { ...(token && { authorization: token }), ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status === TOO_MANY_REQUESTS && performance.now() < patienceMs) {
    await sleep(pauseMs)
    return send(method, path, body)
  }
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}
