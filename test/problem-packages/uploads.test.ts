import { readdir, readlink } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openTestApp } from '../support/app.ts'
import { countConnections, listen } from '../support/bare-app.ts'
import { readTables } from '../support/database-contents.ts'
import { bodyOf, connectRaw, head, statusesOf } from '../support/raw-client.ts'
import { smallPackage } from '../support/small-package.ts'
import { until } from '../support/until.ts'
import { zipEntries } from '../support/zip-packages.ts'

const LIMIT = 64 * 1024

const service = await openTestApp({ PACKAGE_LIMIT_BYTES: String(LIMIT) })
const admin = await service.createPerson({ admin: true })
const user = await service.createPerson()
const port = await listen(service.app)
const zip = await zipEntries(smallPackage())
const POST = 'POST /v1/problem_packages HTTP/1.1'
const TYPE = 'Content-Type: application/zip'

const start = (...lines: string[]) => head(POST, 'Host: a', `Authorization: ${admin.token}`, ...lines)
const lengthOf = (bytes: number) => `Content-Length: ${bytes}`

async function send(...parts: (string | Buffer)[]) {
  const client = await connectRaw(port)
  for (const part of parts) client.send(part)
  const received = await client.untilReceived(/\r\n\r\n{.*}$/s)
  return { status: statusesOf(received)[0], body: bodyOf(received) }
}

async function findOpenUploads(): Promise<string[]> {
  const open = await readdir('/proc/self/fd')
  const targets = await Promise.all(open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
  return targets.filter((name) => name.includes('judge-package-'))
}

/** Runs a test that must store nothing and close its file. */
async function leavingNothing(run: () => Promise<unknown>): Promise<void> {
  const before = await readTables(service.database)
  await run()
  if (process.platform === 'linux') await expect.poll(findOpenUploads).toEqual([])
  expect(await readTables(service.database)).toEqual(before)
}

const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

describe('an upload', () => {
  it.each([
    ['another type', 'Content-Type: application/json'],
    ['a type that only begins so', 'Content-Type: application/zip-archive'],
    ['a form', 'Content-Type: multipart/form-data; boundary=x'],
    ['no type', 'X-Nothing: 1'],
    ['an encoding', `${TYPE}\r\nContent-Encoding: gzip`],
  ])('with %s is refused', (_, line) =>
    leavingNothing(async () => {
      const body = line.includes('gzip') ? gzipSync(zip) : zip
      expect(await send(start(line, lengthOf(body.length)), body)).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(/Content-Type|compressed/) },
      })
    }),
  )

  it.each([TYPE, 'Content-Type: Application/ZIP; charset=binary', `${TYPE}\r\nContent-Encoding: identity`])(
    'with "%s" is accepted',
    async (line) => {
      expect(await send(start(line, lengthOf(zip.length)), zip)).toMatchObject({ status: 201 })
    },
  )

  it('without a body is refused', () =>
    leavingNothing(async () => {
      expect(await send(start(TYPE, lengthOf(0)))).toMatchObject({ status: 400 })
      expect(await send(start(TYPE))).toMatchObject({ status: 400 })
    }))

  it('of a user who is no admin is refused before it is received', () =>
    leavingNothing(async () => {
      const lines = ['Host: a', `Authorization: ${user.token}`, TYPE, lengthOf(LIMIT)]
      expect(await send(head(POST, ...lines))).toMatchObject({ status: 403 })
    }))

  it('over the limit is refused by its length before it is received', () =>
    leavingNothing(async () => {
      expect(await send(start(TYPE, lengthOf(LIMIT + 1)))).toMatchObject({
        status: 413,
        body: { error: expect.stringContaining('PACKAGE_LIMIT_BYTES') },
      })
    }))

  it('over the limit in chunks is refused before its end', () =>
    leavingNothing(async () => {
      const chunks = Array.from({ length: 5 }, () => chunk(Buffer.alloc(LIMIT / 4, 'x')))
      expect(await send(start(TYPE, 'Transfer-Encoding: chunked'), ...chunks)).toMatchObject({ status: 413 })
    }))

  it('over the limit leaves a connection for the next request', () =>
    leavingNothing(async () => {
      const client = await connectRaw(port)
      const chunks = Array.from({ length: 50 }, () => chunk(Buffer.alloc(LIMIT, 'x')))
      const next = head('GET /health HTTP/1.1', 'Host: a')
      for (const part of [start(TYPE, 'Transfer-Encoding: chunked'), ...chunks, '0\r\n\r\n', next])
        client.send(part)
      expect(statusesOf(await client.untilReceived(/HTTP.*HTTP.*\r\n\r\n{.*}$/s))).toEqual([413, 200])
    }))

  it('in chunks is imported', async () => {
    const chunks = [zip.subarray(0, 7), zip.subarray(7)].map(chunk)
    const parts = [start(TYPE, 'Transfer-Encoding: chunked'), ...chunks, '0\r\n\r\n']
    expect(await send(...parts)).toMatchObject({ status: 201 })
  })

  it('that the client breaks off in the middle leaves nothing', () =>
    leavingNothing(async () => {
      const client = await connectRaw(port)
      client.send(start(TYPE, lengthOf(zip.length)))
      client.send(zip.subarray(0, zip.length / 2))
      if (process.platform === 'linux')
        await expect.poll(async () => (await findOpenUploads()).length).toBe(1)
      client.reset()
    }))

  it('whose client goes during the import leaves nothing', () =>
    leavingNothing(async () => {
      const client = await connectRaw(port)
      const transaction = service.database.transaction.bind(service.database)
      let stored: Promise<unknown> | undefined
      const spy = vi.spyOn(service.database, 'forRequest').mockImplementation(() => ({
        query: service.database.query.bind(service.database),
        transaction: (work) => {
          client.reset()
          const gone = until(async () => expect(await countConnections(service.app)).toBe(0))
          const storing = gone.then(() => transaction(work))
          stored = storing
          return storing
        },
      }))
      onTestFinished(() => spy.mockRestore())
      client.send(start(TYPE, lengthOf(zip.length)))
      client.send(zip)
      await expect.poll(() => stored !== undefined).toBe(true)
      await expect(stored).rejects.toThrow('The client has gone')
    }))
})
