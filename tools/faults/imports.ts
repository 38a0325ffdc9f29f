import { randomUUID } from 'node:crypto'
import { type ClientRequest, request as openRequest } from 'node:http'
import type { Schemas } from '@judge-data-layer/client'
import { makeVersion, sizeOfLarge, sizeOfSmall, type Version } from './packages.ts'
import { startRepeating } from './scenario.ts'
import type { World } from './world.ts'

/** A problem that clients import and replace, one request after the other. */
export interface ImportedProblem {
  /** Unique; in the title. */
  readonly key: string
  /** The id in the 201. Without one, the problem may or may not be stored. */
  id?: number
  /** The versions that may be stored: the last acknowledged one, and those sent after it. */
  possible: Version[]
  /** The number of requests. */
  sent: number
  /** Rejections of valid requests. */
  readonly refusals: { readonly refusal: string }[]
  /** Responses that count other parts than the package has. */
  readonly wrongCounts: string[]
}

/** A verification with a 201. */
export interface Verified {
  readonly id: string
  readonly problem: ImportedProblem
}

/** Clients that import packages. */
export type Imports = ReturnType<typeof startImports>

type Size = ReturnType<typeof sizeOfSmall>

const TRY_TIMEOUT_MS = 120_000

/** Imports new packages and replaces one, and verifies each, in turn until `stop`. */
export function startImports(baseUrl: string, world: World) {
  const problems: ImportedProblem[] = []
  const requests = createRequests(baseUrl, world)
  const { importSize, verified, verify, send } = requests
  const create = (): ImportedProblem => {
    const problem = { key: randomUUID(), possible: [], sent: 0, refusals: [], wrongCounts: [] }
    problems.push(problem)
    return problem
  }
  const importNew = async (size: Size) => {
    const problem = create()
    return (await importSize(problem, size)) ? problem : undefined
  }
  let replaced: ImportedProblem | undefined
  const { stop } = startRepeating(
    async (number) => {
      const problem = await importNew(sizeOfSmall(number))
      if (problem !== undefined) await verify(problem)
    },
    async (number) => {
      if (replaced === undefined) replaced = await importNew(sizeOfSmall(number))
      else if (await importSize(replaced, sizeOfSmall(number))) await verify(replaced)
    },
  )
  return {
    ...{ problems, verified, verify, send, stop },
    /** Undefined without an acknowledgement. */
    importNew: () => importNew(sizeOfSmall(problems.length)),
    importLarge: () => importNew(sizeOfLarge(problems.length)),
    replaceByLarge: (problem: ImportedProblem) => importSize(problem, sizeOfLarge(problem.sent)),
    /** Sends half of a large package; the rest never follows. */
    sendHalf: async () => {
      const { key, possible } = create()
      const { zip, ...version } = await makeVersion(key, sizeOfLarge(0))
      possible.push(version)
      return sendHalf(baseUrl, world.adminToken, zip)
    },
  }
}

/** Each request notes what it sent, and what was acknowledged. */
function createRequests(baseUrl: string, { adminToken }: World) {
  const verified: Verified[] = []
  const send = (method: string, path: string, body: Buffer | null) =>
    fetch(`${baseUrl}/v1/problem_packages${path}`, {
      ...{ method, body, signal: AbortSignal.timeout(TRY_TIMEOUT_MS) },
      headers: { authorization: adminToken, ...(body && { 'content-type': 'application/zip' }) },
    })
  return {
    ...{ verified, send },
    /** Imports or replaces a problem. Resolves with whether that was acknowledged. */
    importSize: async (problem: ImportedProblem, size: Size): Promise<boolean> => {
      const { zip, ...version } = await makeVersion(problem.key, size)
      problem.sent += 1
      problem.possible.push(version)
      const isNew = problem.id === undefined
      const sending = isNew ? send('POST', '', zip) : send('PUT', `/${problem.id}`, zip)
      const body = await readResponse<Schemas['ImportedPackage']>(sending, problem.refusals)
      if (body !== undefined) noteImported(problem, version, body)
      return body !== undefined
    },
    /** Resolves with the id of the verification. */
    verify: async (problem: ImportedProblem): Promise<string | undefined> => {
      const sending = send('POST', `/${problem.id}/verifications`, null)
      const body = await readResponse<Schemas['Verification']>(sending, problem.refusals)
      if (body !== undefined) verified.push({ id: body.id, problem })
      return body?.id
    },
  }
}

/** The body of a successful response. A rejection is noted. */
async function readResponse<Body>(
  sending: Promise<Response>,
  refusals: ImportedProblem['refusals'],
): Promise<Body | undefined> {
  try {
    const response = await sending
    const body = JSON.parse(await response.text())
    if (response.ok) return body
    if (response.status < 500) refusals.push({ refusal: `${response.status} ${body.message}` })
  } catch {
    // No response: the change may or may not be stored.
  }
  return undefined
}

function noteImported(problem: ImportedProblem, version: Version, body: Schemas['ImportedPackage']): void {
  problem.id = body.problem_id
  problem.possible = [version]
  const [counted, sent] = [body.imported, version.counts].map((counts) => JSON.stringify(counts))
  if (counted !== sent) problem.wrongCounts.push(`${problem.id}: ${counted} instead of ${sent}`)
}

/** Sends half of the body. A rejection or the end of the service closes the request. */
function sendHalf(baseUrl: string, authorization: string, zip: Buffer): ClientRequest {
  const headers = { authorization, 'content-type': 'application/zip', 'content-length': zip.length }
  const request = openRequest(`${baseUrl}/v1/problem_packages`, { method: 'POST', headers })
  request.on('error', () => {})
  request.on('response', () => request.destroy())
  request.write(zip.subarray(0, zip.length / 2))
  return request
}
