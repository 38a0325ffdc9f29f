import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../../client/test/support/listening-app.ts'
import { judge, judgeJson } from './support/command-line.ts'

const setup = useService()

let env: Record<string, string>
let contest: string
beforeAll(async () => {
  const { token } = await setup.service.createPerson({ admin: true })
  env = { JUDGE_URL: setup.service.url, JUDGE_USER_TOKEN: token, TZ: 'UTC' }
  const times = { start_time: '2026-01-01T00:00:00Z', end_time: '2096-01-01T00:00:00Z' }
  const body = { title: 'An exam', ...times, problems: [], scoreboard: 'participants' }
  contest = String((await setup.service.as(token).post('/v1/events', body)).id)
})

const scoreboard = (...argv: string[]) => judge(['contest', 'scoreboard', contest, ...argv], { env })

/** The status of the standings at an address of the page. */
async function readStandings(address: string): Promise<number> {
  const { origin, pathname, hash } = new URL(address)
  const headers = { authorization: hash.replace('#token=', '') }
  return (await fetch(`${origin}${pathname}/standings`, { headers })).status
}

describe('judge contest scoreboard', () => {
  it('prints an address of the page, whose token shows the standings', async () => {
    const { exitCode, stdout } = await scoreboard('--label', 'Lecture hall')
    expect(exitCode).toBe(0)
    const address = stdout.trim()
    expect(address).toMatch(new RegExp(`^${setup.service.url}/v1/scoreboard/${contest}#token=[\\w-]{43}$`))
    expect((await fetch(address)).headers.get('content-type')).toContain('text/html')
    expect(await readStandings(address)).toBe(200)
  })

  it('lists the addresses by their labels, without their tokens, and revokes one', async () => {
    const { id, url, token } = await judgeJson(['contest', 'scoreboard', contest, '--label', 'Foyer'], {
      env,
    })
    const { stdout } = await scoreboard('--list')
    expect(stdout).toMatch(new RegExp(`^${id} +Foyer +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d`, 'm'))
    expect(stdout).not.toContain(token)
    expect(await scoreboard('--revoke', id)).toMatchObject({ exitCode: 0 })
    expect(await readStandings(url)).toBe(401)
    expect((await scoreboard('--list')).stdout).not.toContain('Foyer')
  })

  it('revokes one by the beginning or the end of its id, if no other has the same', async () => {
    const make = (): Promise<{ id: string }> => judgeJson(['contest', 'scoreboard', contest], { env })
    const [one, other] = [await make(), await make()]
    const doubtful = await scoreboard('--revoke', one.id.slice(0, 1))
    expect(doubtful).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Write more of the id.') })
    expect(await scoreboard('--revoke', one.id.slice(-8).toUpperCase())).toMatchObject({ exitCode: 0 })
    expect(await scoreboard('--revoke', other.id.slice(0, -1))).toMatchObject({ exitCode: 0 })
    const { stdout } = await scoreboard('--list')
    for (const { id } of [one, other]) expect(stdout).not.toContain(id)
  })

  it('fails for an address that is not listed, and for two wishes at once', async () => {
    for (const name of ['abc', '00000000-0000-7000-8000-000000000000'])
      expect(await scoreboard('--revoke', name)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining(`No token ${name}. List them with --list.`),
      })
    expect(await scoreboard('--list', '--label', 'Hall')).toMatchObject({ exitCode: 2 })
  })
})
