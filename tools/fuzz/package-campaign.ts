import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import pLimit from 'p-limit'
import { seedOf } from './campaign.ts'
import { type Contents, makePackage, packagePlans, readPackages } from './package-mutations.ts'
import type { People } from './people.ts'
import { checkProcess, type ServiceWatch } from './session.ts'

/** As many as the service reads at a time, and a few that wait. */
const CONCURRENCY = 4
/** Every so many imported packages one is exported and replaced by its export. */
const EXPORT_EVERY = 10

interface PackageCampaign {
  readonly url: string
  readonly people: People
  readonly watch: ServiceWatch
  readonly seed: number
  readonly packages: number
  readonly report: (finding: string) => void
}

/** Sends mutations of packages. Returns the number of responses by status. */
export async function runPackageCampaign(campaign: PackageCampaign): Promise<Map<string, number>> {
  const { seed, packages, watch, report } = campaign
  const bases = await readPackages()
  const statuses = new Map<string, number>()
  const limit = pLimit(CONCURRENCY)
  await limit.map(Array.from({ length: packages }).keys(), async (number) => {
    const { kind, archive, finding } = await sendPackage(campaign, bases, number)
    statuses.set(kind, (statuses.get(kind) ?? 0) + 1)
    const findings = [...(finding === undefined ? [] : [finding]), ...checkProcess(watch)]
    if (findings.length === 0) return
    const file = join(tmpdir(), `judge-fuzz-${seed}-${number}.zip`)
    await writeFile(file, archive)
    report(`package ${number} of seed ${seed}, ${file}: ${findings.join('; ')}`)
  })
  return statuses
}

async function sendPackage(campaign: PackageCampaign, bases: readonly Contents[], number: number) {
  const { url, people, seed } = campaign
  const [plan] = fc.sample(packagePlans, { seed: seedOf(seed, 'package', number), numRuns: 1 })
  if (plan === undefined) throw new Error('fast-check gave no plan')
  const archive = await makePackage(bases, plan)
  const send = (method: string, path: string, body?: Buffer) =>
    fetch(`${url}/v1/${path}`, {
      method,
      headers: { authorization: people.credentialOf('admin') ?? '', 'content-type': 'application/zip' },
      ...(body && { body: new Uint8Array(body) }),
    })
  try {
    const response = await send('POST', 'problem_packages', archive)
    const { problem_id, message = '' } = Object(await response.json())
    const kind = kindOf(response.status, String(message))
    if (kind === 'wrong') return { kind, archive, finding: `${response.status} ${message}` }
    if (response.status !== 201) return { kind, archive }
    const finding = number % EXPORT_EVERY === 0 ? await exportAndReplace(send, problem_id) : undefined
    await send('DELETE', `problems/${problem_id}`)
    return { kind, archive, ...(finding !== undefined && { finding }) }
  } catch (err) {
    return { kind: 'none', archive, finding: `no response: ${err}` }
  }
}

/** A limit of the process refuses a package only if a reader is not bounded. */
function kindOf(status: number, message: string): string {
  if (status === 201) return 'imported'
  if (status === 400) return message.includes(': reading it takes ') ? 'ended by a limit' : 'refused'
  return 'wrong'
}

async function exportAndReplace(
  send: (method: string, path: string, body?: Buffer) => Promise<Response>,
  problem_id: number,
): Promise<string | undefined> {
  const path = `problem_packages/${problem_id}`
  const exported = await send('GET', path)
  if (exported.status !== 200) return `its export is ${exported.status} ${await exported.text()}`
  const replaced = await send('PUT', path, Buffer.from(await exported.arrayBuffer()))
  return replaced.status === 200 ? undefined : `its export is refused: ${await replaced.text()}`
}
