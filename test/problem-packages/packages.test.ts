import { describe, expect, it } from 'vitest'
import { openTestApp } from '../support/app.ts'
import { once } from '../support/cleanup.ts'
import { describeProblem, fetchBytes, type StoredFile, sendPackage } from '../support/packages.ts'
import { zipFolder } from '../support/zip-packages.ts'
import { type ExpectedPackage, expectedPackages } from './expected-package.ts'

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })

const zipOf = ({ folder, topFolder }: ExpectedPackage) =>
  zipFolder(folder, topFolder === undefined ? {} : { topFolder })

async function importExpected(expected: ExpectedPackage) {
  const { status, text, body } = await sendPackage(service, admin.token, await zipOf(expected))
  expect(status, text).toBe(201)
  return body
}

describe.each(expectedPackages)('the package $name', (expected) => {
  const importing = once(() => importExpected(expected))
  const describeOf = (id: number) => describeProblem(service, admin.token, id)

  it('becomes the problem that its text describes', async () => {
    const { problem_id, warnings, imported } = await importing()
    const { settings, cases, ...problem } = await describeOf(problem_id)
    const { title, execution_timeout, memory_limit = 256, limits = {}, groups = [], programs } = expected
    const { categories = [], tests, public: shown = [], warnings: places = [] } = expected
    expect.soft(problem).toMatchObject({ title, execution_timeout, memory_limit, difficulty: 'MEDIUM' })
    // The service has some of these categories already, with a capital.
    expect.soft(problem.categories.map((name: string) => name.toLowerCase()).sort()).toEqual(categories)
    expect.soft(problem.timeout_is_provisional ?? false).toBe(expected.provisional ?? false)
    expect
      .soft({ type: 'default', flags: '', case_flags: [], ...problem.validation })
      .toMatchObject({ type: 'default', flags: '', case_flags: [], ...expected.validation })
    expect.soft(problem.limits ?? {}).toEqual(limits)
    expect.soft(withoutNames(problem.test_groups ?? [])).toEqual(groups)
    const hidden = problem.test_cases.map((test: { hidden: boolean }) => test.hidden)
    expect.soft(hidden).toEqual(tests.map((name) => !shown.includes(name)))
    expect.soft(cases).toEqual(casesOf(expected))
    expect.soft(imported).toMatchObject({
      test_cases: tests.length,
      submissions: Object.values(programs).flat().length,
      categories: categories.length,
    })
    expect.soft(warnings.map(placeOf).sort()).toEqual([...places].sort())
    expectTexts(problem, expected, JSON.stringify([problem.source, settings]))
  })

  it('offers its files to solvers', async () => {
    const { problem_id } = await importing()
    const files = await admin.get(`/v1/problems/${problem_id}/files`)
    expect(files.map(({ name }: { name: string }) => name).sort()).toEqual(expected.files)
    for (const { name, bytes } of files) {
      const url = `/v1/problems/${problem_id}/files/${encodeURIComponent(name)}`
      const found = await fetchBytes(service, admin.token, url)
      expect({ name, status: found.status }).toEqual({ name, status: 200 })
      const sequences = listSequences(name, expected)
      if (sequences.length === 0) expect(found.bytes.length).toBe(bytes)
      for (const sequence of sequences) expect(found.bytes.toString()).not.toContain(sequence)
    }
  })

  it('is the same problem after an export and an import', async () => {
    const { problem_id } = await importing()
    const exported = await fetchBytes(service, admin.token, `/v1/problem_packages/${problem_id}`)
    expect(exported.status).toBe(200)
    const again = await sendPackage(service, admin.token, exported.bytes)
    expect(again.status, again.text).toBe(201)
    const { problem_id: copyId } = again.body
    const [first, second] = [await describeOf(problem_id), await describeOf(copyId)]
    // The prompt of a problem whose statement is a PDF links to it.
    second.prompt = second.prompt.replace(`/problems/${copyId}/`, `/problems/${problem_id}/`)
    const { format } = first.settings
    expect(lastingOf(second, format)).toEqual(lastingOf(first, format))
  })
})

it('packages keep the ids of their test cases when they replace themselves', async () => {
  const names = ['lanterns', 'quarry', 'tidylines']
  for (const expected of expectedPackages.filter(({ name }) => names.includes(name))) {
    const { problem_id: problemId } = await importExpected(expected)
    const before = await admin.get(`/v1/problems/${problemId}`)
    const again = await sendPackage(service, admin.token, await zipOf(expected), { problemId })
    expect(again.status, again.text).toBe(200)
    const after = await admin.get(`/v1/problems/${problemId}`)
    expect(after).toEqual({ ...before, updated_at: after.updated_at })
  }
})

const placeOf = ({ file, line }: { readonly file: string; readonly line?: number }) =>
  line === undefined ? file : `${file}, line ${line}`

/** The sequences that constants replace in a statement. */
function listSequences(name: string, { constants = [] }: ExpectedPackage): string[] {
  const isText = /^problem\..*\.(?:md|tex)$/.test(name)
  return isText ? constants.flatMap((one) => [`{{${one}}}`, `\\constant{${one}}`]) : []
}

/** Settings that the fields of the problem have too, and ids that an export adds. */
const OF_LEGACY = [
  ...['format', 'has_custom_validator', 'keywords', 'short_name'],
  ...['uuid', 'validator_flags', 'prompt_hash'],
]

/** The part that a legacy package keeps when it becomes one of 2025-09. */
function lastingOf(
  { settings, stored, ...problem }: Awaited<ReturnType<typeof describeProblem>>,
  format: unknown,
) {
  const lasting = Object.entries(settings).filter(([name]) => !OF_LEGACY.includes(name))
  const isAdded = ([path]: StoredFile) =>
    String(format).startsWith('legacy') && path === 'submissions/submissions.yaml'
  const files = stored.filter((file: StoredFile) => !isAdded(file))
  return { ...problem, stored: files, settings: { ...Object.fromEntries(lasting), limits: {} } }
}

const withoutNames = (groups: readonly { readonly name: string }[]) =>
  groups.map(({ name: _, ...group }) => group)

const casesOf = ({ tests, hints = {}, descriptions = {} }: ExpectedPackage) =>
  tests.map((name) => [name, hints[name] ?? null, descriptions[name] ?? null])

interface Texts {
  readonly prompt: string
  readonly validation?: { readonly files?: readonly { readonly name: string; readonly content: string }[] }
}

function expectTexts({ prompt, validation }: Texts, expected: ExpectedPackage, origin: string): void {
  for (const text of expected.prompt) expect.soft(prompt).toContain(text)
  for (const text of expected.promptLacks ?? []) expect.soft(prompt).not.toContain(text)
  for (const text of expected.source ?? []) expect.soft(origin).toContain(text)
  const files = validation?.files ?? []
  if (expected.validatorFiles)
    expect.soft(files.map(({ name }) => name).sort()).toEqual(expected.validatorFiles)
  const contents = files.map(({ content }) => content).join('\n')
  for (const text of expected.validatorContains ?? []) expect.soft(contents).toContain(text)
}
