import { randomBytes } from 'node:crypto'
import { readPeakMebibytes, readResidentMebibytes, resetPeak } from '../local-servers/process-tree.ts'
import type { Stage } from './stage.ts'

/** The memory of the service during one step with large tests. */
export interface TestsReading {
  readonly step: string
  readonly requests: number
  readonly seconds: number
  /** Above the memory before the first step. */
  readonly peakMebibytes: number
}

const MEBIBYTE = 1024 * 1024
const TEST_CASES = 2000
const CASE_BYTES = Math.floor((256 * MEBIBYTE) / TEST_CASES)
/** About 8 MiB in a request. */
const CASES_PER_REQUEST = 64
const LARGE_CASE_BYTES = 60 * MEBIBYTE

/**
 * Creates a problem with 2,000 test cases and 256 MiB of tests, and reads it as a judge; then the
 * same with one test case of 60 MiB. Returns the readings of each step.
 */
export async function runLargeTests(stage: Stage): Promise<TestsReading[]> {
  const { pid, url } = stage.service
  const admin = requester(url, await stage.world.tokenOf(stage.world.size.users))
  const judge = requester(url, stage.world.judgeToken)
  const { readings, measure } = measureSteps(pid)
  const many = await createProblem(admin)
  await measure('append 2,000 test cases, 256 MiB', () => append(admin, many, TEST_CASES - 1, CASE_BYTES))
  await measureReading(measure, judge, many, 'of 2,000')
  const large = await createProblem(admin)
  await measure('append one test case of 60 MiB', () => append(admin, large, 1, LARGE_CASE_BYTES))
  await measureReading(measure, judge, large, 'of 60 MiB')
  return readings
}

/** Runs a step, which returns the number of its requests, and keeps its reading. */
type Measure = (step: string, work: () => Promise<number>) => Promise<void>

/** Measures the time of steps and the memory of the service, which is idle now. */
export function measureSteps(pid: number): { readings: TestsReading[]; measure: Measure } {
  const idle = readResidentMebibytes(pid)
  console.log(`idle: ${Math.round(idle)} MiB`)
  const readings: TestsReading[] = []
  const measure: Measure = async (step: string, work: () => Promise<number>) => {
    resetPeak(pid)
    const startedMs = performance.now()
    const requests = await work()
    const seconds = (performance.now() - startedMs) / 1000
    const reading = { step, requests, seconds, peakMebibytes: readPeakMebibytes(pid) - idle }
    readings.push(reading)
    console.log(
      `${step}: ${requests} requests, ${seconds.toFixed(1)} s, +${Math.round(reading.peakMebibytes)} MiB`,
    )
  }
  return { readings, measure }
}

async function measureReading(measure: Measure, judge: Requester, id: number, name: string): Promise<void> {
  const url = `/v1/problem_description/${id}/test_cases`
  let list: Reply = { etag: '', text: '' }
  await measure(`the list ${name}`, async () => {
    list = await judge('GET', url, 200)
    return 1
  })
  const cases: { id: string }[] = JSON.parse(list.text).test_cases
  const tags: string[] = []
  await measure(`all test cases ${name}`, async () => {
    for (const each of cases) tags.push((await judge('GET', `${url}/${each.id}`, 200)).etag)
    return cases.length
  })
  await measure(`304 of the list and of each test case ${name}`, async () => {
    await judge('GET', url, 304, { 'if-none-match': list.etag })
    for (const [place, each] of cases.entries())
      await judge('GET', `${url}/${each.id}`, 304, { 'if-none-match': tags[place] ?? '' })
    return 1 + cases.length
  })
}

interface Reply {
  readonly etag: string
  readonly text: string
}

type Requester = ReturnType<typeof requester>

function requester(serviceUrl: string, token: string) {
  return async (
    method: string,
    path: string,
    expected: number,
    headers: Record<string, string> = {},
    body?: object,
  ): Promise<Reply> => {
    const type = { 'content-type': 'application/json' }
    const response = await fetch(`${serviceUrl}${path}`, {
      method,
      headers: { authorization: token, ...headers, ...(body && type) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status !== expected)
      throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`)
    return { etag: response.headers.get('etag') ?? '', text }
  }
}

async function createProblem(admin: Requester): Promise<number> {
  const body = { title: 'Large', identifier: 'large', prompt: 'Read much.', difficulty: 'HARD' }
  const test_cases = [{ input: '1', expected_output: '1' }]
  const { text } = await admin('POST', '/v1/problems', 201, {}, { ...body, test_cases })
  return JSON.parse(text).id
}

/** Appends hidden test cases, some in each request. */
async function append(admin: Requester, id: number, count: number, bytes: number): Promise<number> {
  let requests = 0
  for (let left = count; left > 0; left -= CASES_PER_REQUEST) {
    const test_cases = Array.from({ length: Math.min(left, CASES_PER_REQUEST) }, () => randomCase(bytes))
    await admin('POST', `/v1/problems/${id}/test_cases`, 201, {}, { test_cases })
    requests += 1
  }
  return requests
}

/** Random text, which the database cannot compress much. */
function randomCase(bytes: number) {
  const text = randomBytes(Math.ceil(bytes / 2))
    .toString('hex')
    .slice(0, bytes - 1)
  return { input: text, expected_output: '7', hidden: true }
}
