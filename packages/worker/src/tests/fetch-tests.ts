import { ServiceError } from '../service/service-error.ts'
import {
  makeTestsFolder,
  nameVersion,
  removeTests,
  type SavedCase,
  type SavedTests,
  type SavedTexts,
  type TestsFolder,
} from './test-set.ts'
import type { ListedCase, TestsApi, TestsManifest } from './tests-api.ts'

export interface FetchedTests extends SavedTests {
  /** The entity tag of the manifest. */
  readonly tag: string
}

interface Fetch {
  readonly api: TestsApi
  readonly problemId: number
  readonly target: TestsFolder
  /** The texts on disk by `nameVersion`. */
  readonly texts: Map<string, SavedTexts>
}

const ROUNDS = 5
const PARTS_AT_ONCE = 4
/** Tests up to this size are fetched with one request, unless only a few parts are missing. */
const WHOLE_BYTES = 2 ** 20
const FEW_PARTS = 3

class TestsChanged extends Error {}

/**
 * Writes a problem's tests to the new folder `folder`. Texts that the set `known` has are not
 * fetched. Returns `unchanged` if it is current, undefined if there is no such problem. Throws
 * `ServiceError`, or the error of a file that cannot be written.
 */
export async function fetchTests(
  api: TestsApi,
  problemId: number,
  known: FetchedTests | undefined,
  folder: string,
): Promise<FetchedTests | 'unchanged' | undefined> {
  const first = await api.readManifest(problemId, known?.tag)
  if (typeof first !== 'object') return first
  const fetch: Fetch = { api, problemId, target: await makeTestsFolder(folder), texts: new Map() }
  try {
    await linkTexts(fetch, known, first)
    return await fetchManifest(fetch, first)
  } catch (err) {
    await removeTests(folder)
    throw err
  }
}

/** Fetches the missing texts of a manifest, or of the next one if they have changed meanwhile. */
async function fetchManifest(fetch: Fetch, first: TestsManifest): Promise<FetchedTests> {
  const { api, problemId, target, texts } = fetch
  let manifest = first
  for (let round = 1; round <= ROUNDS; round += 1) {
    try {
      await fetchMissing(fetch, manifest)
      const cases = manifest.testCases.map((one) => describeCase(one, texts))
      return { ...(await target.finish(cases, manifest.options)), tag: manifest.tag }
    } catch (err) {
      if (!(err instanceof TestsChanged)) throw err
    }
    const next = await api.readManifest(problemId)
    if (typeof next !== 'object') break
    manifest = next
  }
  throw new ServiceError('the tests of the problem have changed during every fetch')
}

function describeCase({ id, hidden, version }: ListedCase, texts: Fetch['texts']): SavedCase {
  const found = texts.get(nameVersion({ id, version }))
  if (found === undefined) throw new Error('a test case was not fetched')
  return { id, hidden, version, ...found }
}

/** Links the texts of the manifest that the known set has. */
async function linkTexts(
  { target, texts }: Fetch,
  known: FetchedTests | undefined,
  { testCases }: TestsManifest,
): Promise<void> {
  const listed = new Set(testCases.map(nameVersion))
  for (const one of known?.cases ?? []) {
    const linked = listed.has(nameVersion(one)) ? await target.link(one) : undefined
    if (linked !== undefined) texts.set(nameVersion(one), linked)
  }
}

async function fetchMissing(fetch: Fetch, manifest: TestsManifest): Promise<void> {
  const missing = manifest.testCases.filter((one) => !fetch.texts.has(nameVersion(one)))
  const bytes = manifest.testCases.reduce((sum, one) => sum + one.bytes, 0)
  if (missing.length > FEW_PARTS && bytes <= WHOLE_BYTES) return fetchWhole(fetch, manifest)
  const queue = missing.values()
  let hasFailed = false
  const fetchQueued = async () => {
    for (const one of queue) if (!hasFailed) await fetchCase(fetch, one)
  }
  const fetches = Array.from({ length: PARTS_AT_ONCE }, () =>
    fetchQueued().catch((err: unknown) => {
      hasFailed = true
      throw err
    }),
  )
  // All must have ended before the folder can be deleted.
  for (const ended of await Promise.allSettled(fetches)) if (ended.status === 'rejected') throw ended.reason
}

async function fetchCase(
  { api, problemId, target, texts }: Fetch,
  { id, version, bytes }: ListedCase,
): Promise<void> {
  const saved = await target.save(async (sinks) => {
    for (const which of ['input', 'answer'] as const) {
      const served = await api.readText(problemId, id, which, sinks[which])
      if (served !== version) throw new TestsChanged()
    }
  })
  // A proxy that closes the connection ends a body without an error.
  if (saved.input.bytes + saved.answer.bytes !== bytes) throw new ServiceError('a test case was cut')
  texts.set(nameVersion({ id, version }), saved)
}

/** Fetches small tests with one request. They belong to the manifest if it is still current. */
async function fetchWhole(
  { api, problemId, target, texts }: Fetch,
  { testCases, tag }: TestsManifest,
): Promise<void> {
  const tests = await api.readTests(problemId)
  if (tests === undefined) throw new TestsChanged()
  if ((await api.readManifest(problemId, tag)) !== 'unchanged') throw new TestsChanged()
  const served = new Map(tests.test_cases.map((one) => [one.id, one]))
  for (const one of testCases) {
    const found = served.get(one.id)
    if (found === undefined) throw new TestsChanged()
    const saved = await target.save(async ({ input, answer }) => {
      await input(Buffer.from(found.input))
      await answer(Buffer.from(found.expected_output))
    })
    texts.set(nameVersion(one), saved)
  }
}
