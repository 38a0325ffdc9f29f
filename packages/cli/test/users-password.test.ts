import { orThrow } from '@judge-data-layer/client/errors'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../../client/test/support/listening-app.ts'
import { judge, judgeJson } from './support/command-line.ts'

const setup = useService()

let env: Record<string, string>
beforeAll(async () => {
  const { token } = await setup.service.createPerson({ admin: true })
  env = { JUDGE_URL: setup.service.url, JUDGE_USER_TOKEN: token }
})

const logIn = async (email: string, password: string): Promise<number> => {
  const { response } = await setup.service.connect().POST('/v1/basic_login', { body: { email, password } })
  return response.status
}

describe('a new password', () => {
  const createUser = async (name: string) => {
    const body = { name, email: `${name}@example.org`, password: 'the first password' }
    return orThrow(setup.service.connect().POST('/v1/basic_register', { body }))
  }

  it.each(['id', 'email', 'name'] as const)('is set for the user with this %s', async (key) => {
    const user = await createUser(`by-${key}`)
    const name = key === 'name' ? user.name.toUpperCase() : user[key]
    const { exitCode, stdout } = await judge(['users', 'password', name, '--password-stdin'], {
      ...{ env, stdin: 'a better horse\n' },
    })
    expect({ exitCode, stdout }).toEqual({
      ...{ exitCode: 0, stdout: `${user.name} (${user.email}) has a new password.\n` },
    })
    expect(await logIn(user.email, 'a better horse')).toBe(200)
  })

  it('is generated and printed once', async () => {
    const user = await createUser('generated')
    const { stdout } = await judge(['users', 'password', user.email, '--generate'], { env })
    const password = /^[a-z0-9-]{19}$/m.exec(stdout)?.[0] ?? ''
    expect(await logIn(user.email, password)).toBe(200)
    const document = await judgeJson(['users', 'password', user.email, '--generate'], { env })
    expect(await logIn(user.email, document.password)).toBe(200)
  })

  it('is asked for, and not shown', async () => {
    const user = await createUser('asked')
    const terminals = ['stdin', 'stderr'] as const
    const asked = await judge(['users', 'password', 'asked'], { env, terminals, stdin: 'a better horse\r' })
    expect(asked).toMatchObject({ exitCode: 0, stderr: 'New password: \n' })
    expect(await logIn(user.email, 'a better horse')).toBe(200)
  })

  it('needs a user that exists, and one source', async () => {
    const unknown = await judge(['users', 'password', 'nobody', '--generate'], { env })
    expect(unknown).toMatchObject({
      exitCode: 1,
      stderr: 'error: No user has the e-mail address or the name nobody.\n',
    })
    const both = await judge(['users', 'password', 'x', '--generate', '--password-stdin'], { env })
    expect(both).toMatchObject({
      ...{ exitCode: 2, stderr: 'error: Give either --password-stdin or --generate.\n' },
    })
  })
})
