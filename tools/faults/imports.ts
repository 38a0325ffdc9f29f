import { createHash, randomUUID } from 'node:crypto'
import { type ClientRequest, request as openRequest } from 'node:http'
import type { Schemas } from '@judge-data-layer/client'
import { zipFiles } from '../local-servers/zip.ts'
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
  sent: number
  readonly refusals: { readonly refusal: string }[]
  readonly wrongCounts: string[]
}

export interface Verified {
  readonly id: string
  readonly problem: ImportedProblem
}

export type Imports = ReturnType<typeof startImports>

const TRY_TIMEOUT_MS = 120_000

/** Imports new packages and replaces one, and verifies each, in turn until `stop`. */
export function startImports(baseUrl: string, world: World) {
  const problems: ImportedProblem[] = []
  const { importSize, verified, verify, send } = createRequests(baseUrl, world)
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

/** A version of a package. Every text in it names the version, so that a mix is visible. */
interface Version {
  /** The tests, files, statement and category that must be stored, as `readPackages` does. */
  readonly parts: readonly string[]
  readonly counts: Schemas['ImportedParts']
}

type Size = typeof LARGE

const SMALL: Omit<Size, 'tests'> = { testBytes: 100, attachments: 1, attachmentBytes: 1000 }
const LEAST_TESTS = 3
const MOST_TESTS = 9
/** 5 MiB; the service stores it with about thirty statements. */
const LARGE = { tests: 1000, testBytes: 3000, attachments: 20, attachmentBytes: 100_000 }

/** A small package with another number of tests than the version before it. */
const sizeOfSmall = (number: number): Size => ({
  ...SMALL,
  tests: LEAST_TESTS + (number % (MOST_TESTS - LEAST_TESTS + 1)),
})

/** A package of some MiB, which takes long enough to be killed in the middle. */
const sizeOfLarge = (number: number): Size => ({ ...LARGE, tests: LARGE.tests - (number % 2) * 300 })

/** The title of an imported problem; `key` tells the problems apart. */
export const titleOf = (key: string) => `Package ${key}`

/** Makes a version of the package of `key`. It has no time limit: the service must compute one. */
async function makeVersion(key: string, size: Size): Promise<Version & { readonly zip: Buffer }> {
  const mark = randomUUID()
  const files: Readonly<Record<string, string>> = {
    'statement/problem.en.md': `Print the line. ${mark}\n`,
    'input_validators/check.py': `# ${mark}\nexit(42)\n`,
    'submissions/accepted/right.py': `# ${mark}\nprint(input())\n`,
    ...makeFiles(size.attachments, (n) => [`attachments/${n}.txt`, fill(mark, n, size.attachmentBytes)]),
  }
  const tests = Array.from({ length: size.tests }, (_, n) => ({
    name: n === 0 ? 'sample/0000' : `secret/${String(n).padStart(4, '0')}`,
    input: fill(mark, n, size.testBytes),
    answer: `${mark} ${n}\n`,
  }))
  const settings = `problem_format_version: 2025-09\nname: ${titleOf(key)}\nuuid: ${key}\nkeywords: [${mark}]\n`
  const ofTests = Object.fromEntries(
    tests.flatMap(({ name, input, answer }) => [
      [`data/${name}.in`, input],
      [`data/${name}.ans`, answer],
    ]),
  )
  const parts = [
    ...tests.map(({ name, input, answer }) => `test ${name} ${hash(input)} ${hash(answer)}`),
    ...Object.entries(files).map(([path, text]) => `file ${path} ${hash(text)}`),
    `prompt ${hash(files['statement/problem.en.md'] ?? '')}`,
    `category ${mark}`,
  ]
  const counts = {
    ...{ test_cases: tests.length, statements: 1, files: Object.keys(files).length },
    ...{ submissions: 1, validators: 1, categories: 1 },
  }
  return {
    parts: parts.sort(),
    counts,
    zip: await zipFiles({ 'problem.yaml': settings, ...files, ...ofTests }),
  }
}

const hash = (text: string) => createHash('md5').update(text).digest('hex')

const fill = (mark: string, number: number, bytes: number) =>
  `${`${mark} ${number} `.padEnd(bytes - 1, '.')}\n`

const makeFiles = (count: number, make: (number: number) => [path: string, text: string]) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => make(n)))
