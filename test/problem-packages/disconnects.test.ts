import { readdir, readlink } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openTestApp } from '../support/app.ts'
import { listen } from '../support/bare-app.ts'
import { readTables } from '../support/database-contents.ts'
import { connectRaw, head } from '../support/raw-client.ts'
import { smallPackage } from '../support/small-package.ts'
import { zipEntries } from '../support/zip-packages.ts'

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })
const port = await listen(service.app)

/** Its import takes longer than its upload. */
const tests = Array.from({ length: 300 }, (_, i): [string, string][] => [
  [`data/secret/n${i}.in`, `${'x'.repeat(20_000)}${i}`],
  [`data/secret/n${i}.ans`, 'y'],
])
const zip = await zipEntries(smallPackage(Object.fromEntries(tests.flat())), { compress: false })

async function findOpenUploads(): Promise<string[]> {
  const open = await readdir('/proc/self/fd')
  const targets = await Promise.all(open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
  return targets.filter((name) => name.includes('judge-package-'))
}

it.skipIf(process.platform !== 'linux')('a client that goes during the import leaves nothing', async () => {
  const before = await readTables(service.database)
  for (const ms of [0, 10, 40, 80, 150]) {
    const client = await connectRaw(port)
    const lines = ['Host: a', `Authorization: ${admin.token}`, 'Content-Type: application/zip']
    client.send(head('POST /v1/problem_packages HTTP/1.1', ...lines, `Content-Length: ${zip.length}`))
    client.send(zip)
    await setTimeout(ms)
    client.reset()
    await setTimeout(500)
  }
  await expect.poll(findOpenUploads, { interval: 50 }).toEqual([])
  expect(await readTables(service.database)).toEqual(before)
})
