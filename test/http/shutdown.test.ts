import { describe, expect, it } from 'vitest'
import { JUDGE_PASSWORD } from '../support/app.ts'
import { freshDatabaseVariables } from '../support/process-database.ts'
import { startServiceProcess } from '../support/service-process.ts'
import { listen, openBareApp } from './bare-app.ts'
import { connectRaw } from './raw-client.ts'

/** A request that waits for the rest of its body, `{}`. */
const unfinished = [
  'POST /v1/login_judge HTTP/1.1',
  'Host: localhost',
  `Authorization: ${JUDGE_PASSWORD}`,
  'Content-Type: application/json',
  'Content-Length: 2',
  'Connection: keep-alive',
  '',
  '{',
].join('\r\n')

const health = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'

describe('an application that closes', () => {
  it('answers the request in flight, says that the connection closes, and closes it', async () => {
    const { app, log } = await openBareApp()
    const client = await connectRaw(await listen(app))
    const begun = new Promise((resolve) => app.server.once('request', resolve))
    client.send(unfinished)
    await begun
    const closed = app.close()
    client.send('}')
    const answer = await client.untilEnded()
    expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n/)
    expect(answer).toMatch(/\r\nconnection: close\r\n/i)
    expect(answer).toContain('"token"')
    await closed
    expect(log.at(-1)).toContain('"status":200')
  })

  it('answers what comes on a connection that is kept, and says that it was the last', async () => {
    const { app } = await openBareApp()
    const client = await connectRaw(await listen(app))
    client.send(health)
    await client.untilReceived(/}$/)
    const closed = app.close()
    client.send(health)
    const [, , last] = (await client.untilEnded()).split('HTTP/1.1 ')
    expect(last).toMatch(/^200 OK\r\n/)
    expect(last).toMatch(/\r\nconnection: close\r\n/i)
    await closed
  })

  it('takes no new connection', async () => {
    const { app } = await openBareApp()
    const port = await listen(app)
    await app.close()
    await expect(connectRaw(port)).rejects.toThrow('ECONNREFUSED')
  })

  it.each([
    ['has sent nothing yet', ''],
    ['has sent half a head', 'GET /health HTTP/1.1\r\nHo'],
    ['has sent what is no HTTP, and keeps its side open', 'nonsense\r\n\r\n'],
    ['was answered and keeps the connection', health],
    ['was answered twice', health + health],
  ])('does not wait for a client that %s', async (_, bytes) => {
    const { app } = await openBareApp()
    const client = await connectRaw(await listen(app))
    client.send(bytes)
    if (bytes.endsWith('\r\n\r\n')) await client.untilReceived(/}$/)
    await app.close()
    await client.untilEnded()
  })

  it('does not wait for ever for a client that never finishes its request', async () => {
    const { app } = await openBareApp()
    const client = await connectRaw(await listen(app))
    const begun = new Promise((resolve) => app.server.once('request', resolve))
    client.send(unfinished)
    await begun
    const startedAt = performance.now()
    await app.close()
    expect(performance.now() - startedAt).toBeLessThan(8000)
    await client.untilEnded()
  })
})

describe('the service in a process of its own', () => {
  it('answers the request in flight after SIGTERM and ends with 0 within 10 s', async () => {
    const service = await startServiceProcess(await freshDatabaseVariables())
    const port = Number(new URL(service.url).port)
    const idle = await connectRaw(port)
    const client = await connectRaw(port)
    client.send(`${unfinished.replace('keep-alive', 'keep-alive\r\nExpect: 100-continue')}`)
    await client.untilReceived(/100 Continue/)
    const startedAt = performance.now()
    const ended = service.end('SIGTERM')
    await idle.untilEnded()
    client.send('}')
    expect(await client.untilEnded()).toMatch(/HTTP\/1.1 200 OK\r\n.*"token"/s)
    expect(await ended).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  }, 60_000)
})
