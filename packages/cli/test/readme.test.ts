import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createJudgeClient } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { afterAll, expect, it } from 'vitest'
import { readSession } from '../../../test/support/console-session.ts'
import { startJudgingService } from '../../../test/support/judging-service.ts'
import { makeTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { ROOT } from '../../../tools/local-servers/submitter.ts'
import { judge } from './support/command-line.ts'

const readme = new URL('../README.md', import.meta.url)
const problems = fileURLToPath(new URL('../../../demo/problems', import.meta.url))
const SERVICE = 'http://127.0.0.1:5000'

/** Replaces what differs each time: ids, times, sizes and addresses. */
const blur = (text: string, url: string) =>
  text
    .replaceAll(url, SERVICE)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/\d+\.\d\d s/g, '<seconds>')
    .replaceAll(/\d+ MiB/g, '<memory>')
    .replaceAll(/[\d.]+ [kM]?B/g, '<size>')
    .replaceAll(/problem \d+|\(\d+\)$|^\d+ /gim, '<problem>')
    .replaceAll(/ +/g, ' ')
    .trimEnd()

async function deleteProblems(baseUrl: string): Promise<void> {
  const root = createJudgeClient({ baseUrl })
  root.setToken((await orThrow(root.POST('/v1/basic_login', { body: ROOT }))).token)
  for (const { id } of await orThrow(root.GET('/v1/problems')))
    await orThrow(root.DELETE('/v1/problems/{id}', { params: { path: { id } } }))
}

const home = process.cwd()
afterAll(() => process.chdir(home))

it('the session of the README prints what the README shows', async () => {
  const { url } = await startJudgingService()
  const folder = await makeTemporaryFolder()
  await cp(problems, join(folder, 'demo/problems'), { recursive: true })
  process.chdir(folder)
  const env = { XDG_CONFIG_HOME: folder, JUDGE_URL: url }
  const session = await readSession(readme)
  expect(session.length).toBeGreaterThan(6)
  await deleteProblems(url)
  let lastId = ''
  for (const { command, output } of session) {
    const [program, ...argv] = command.replace(/ < \S+$/, '').split(' ')
    expect(program).toBe('judge')
    const words = argv.map((word) => (/^[0-9a-f-]{36}$/.test(word) ? lastId : word))
    const { stdout, stderr } = await judge(words, { env, stdin: ROOT.password })
    expect(blur(stderr + stdout, url), command).toBe(blur(output, url))
    lastId = /[0-9a-f-]{36}/.exec(stdout)?.[0] ?? lastId
  }
  process.chdir(home)
})
