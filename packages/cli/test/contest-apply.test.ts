import { readdir, readFile, stat } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../../client/test/support/listening-app.ts'
import { judge, judgeJson } from './support/command-line.ts'
import { makeContestFolder, writePackage } from './support/contest-folder.ts'

const setup = useService()

let env: Record<string, string>
let root: ReturnType<typeof setup.service.as>
beforeAll(async () => {
  const { token } = await setup.service.createPerson({ admin: true })
  env = { JUDGE_URL: setup.service.url, JUDGE_USER_TOKEN: token }
  root = setup.service.as(token)
})

const apply = (path: string, ...options: string[]) => judge(['contest', 'apply', path, ...options], { env })

describe('an apply', () => {
  it('creates the contest with its problems and people, and repeats without changes', async () => {
    const folder = await makeContestFolder('first')
    const first = await apply(folder.at('contest.yaml'), '--yes')
    expect(first).toMatchObject({ exitCode: 0, stderr: '' })
    console.log(first.stdout, await readFile(folder.at('contest.lock'), 'utf8'))
    const before = await readFile(folder.at('contest.lock'), 'utf8')
    const second = await apply(folder.path)
    expect(second).toEqual({ exitCode: 0, stderr: '', stdout: 'No changes.\n' })
  })
})
