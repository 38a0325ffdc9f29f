import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { useService } from '../../client/test/support/listening-app.ts'
import { judge } from './support/command-line.ts'
import { makeContestFolder } from './support/contest-folder.ts'

const setup = useService({ PASSWORD_MIN_LENGTH: '24' })
let env: Record<string, string>
beforeAll(async () => {
  const { token } = await setup.service.createPerson({ admin: true })
  env = { JUDGE_URL: setup.service.url, JUDGE_USER_TOKEN: token }
})

const ADVICE = 'Generated passwords have 19 characters'

describe('a service that wants longer passwords than the generated ones', () => {
  it('refuses an import, and the command says what to do', async () => {
    const folder = await makeTemporaryFolder()
    const people = join(folder, 'people.csv')
    await writeFile(people, 'name,email\nNora,nora@example.org\n')
    const { exitCode, stderr } = await judge(['users', 'import', people, '-o', folder], { env })
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining(ADVICE) })
  })

  it('refuses a contest file, and the command says what to do', async () => {
    const folder = await makeContestFolder('strict')
    const { exitCode, stderr } = await judge(['contest', 'apply', folder.path, '--yes'], { env })
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining(ADVICE) })
  })
})
