import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import Type, { type Static, type TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { Difficulty } from '../src/features/problems/schemas.ts'

const words = Type.String({ pattern: '\\S' })
const seconds = Type.Number({ exclusiveMinimum: 0 })

const validator = {
  files: Type.Array(words, { minItems: 1, uniqueItems: true }),
  flags: Type.Optional(words),
  protocol: Type.Optional(Type.Literal('testlib')),
  language: Type.Optional(words),
  build: Type.Optional(Type.Array(words, { minItems: 1 })),
  run: Type.Optional(Type.Array(words, { minItems: 1 })),
}

/** `files` are names in the problem's folder `validator`; the other fields are the API's. */
const validationSchema = Type.Union([
  Type.Object(
    { type: Type.Literal('default'), flags: Type.Optional(words) },
    { additionalProperties: false },
  ),
  Type.Object({ type: Type.Enum(['custom', 'interactive']), ...validator }, { additionalProperties: false }),
])

const descriptionSchema = Type.Object(
  {
    title: words,
    identifier: words,
    difficulty: Difficulty,
    accept_timeout: seconds,
    execution_timeout: seconds,
    memory_limit: Type.Integer({ minimum: 1 }),
    public: Type.Boolean(),
    categories: Type.Array(words, { uniqueItems: true }),
    validation: Type.Optional(validationSchema),
  },
  { additionalProperties: false },
)

const testCaseSchema = Type.Object({
  input: Type.String({ minLength: 1 }),
  expected_output: Type.String({ minLength: 1 }),
  hidden: Type.Boolean(),
})

const solutionSchema = Type.Object({
  kind: Type.Enum(['right', 'wrong', 'slow']),
  extension: Type.Enum(['js', 'cpp', 'py']),
  source_code: words,
})

type Description = Static<typeof descriptionSchema>
type DescribedValidation = Static<typeof validationSchema>
type WithTexts<T> = T extends { files: string[] }
  ? Omit<T, 'files'> & { files: { name: string; content: string }[] }
  : T

/** How outputs are judged, as the API takes it: with the texts of the validator's files. */
export type DemoValidation = WithTexts<DescribedValidation>
export type DemoTestCase = Static<typeof testCaseSchema>
export type DemoSolution = Static<typeof solutionSchema>

/** A problem with its solutions. Timeouts in seconds, `memory_limit` in MiB, categories by name. */
export interface DemoProblem extends Omit<Description, 'validation'> {
  readonly validation?: DemoValidation
  readonly prompt: string
  readonly test_cases: readonly DemoTestCase[]
  readonly solutions: readonly DemoSolution[]
}

/** Reads the problems of a folder, sorted by name. Throws an error that names the invalid file. */
export function loadProblems(folder: string): DemoProblem[] {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
  if (names.length === 0) throw new Error(`${folder}: must have a folder for each problem`)
  return names.sort().map((name) => loadProblem(join(folder, name)))
}

function loadProblem(folder: string): DemoProblem {
  const description = checkShape(descriptionSchema, ...readJson(join(folder, 'problem.json')))
  if (description.identifier !== basename(folder)) {
    throw new Error(
      `${join(folder, 'problem.json')}: identifier must be the folder's name, ${basename(folder)}`,
    )
  }
  const promptPath = join(folder, 'prompt.md')
  const { validation, ...rest } = description
  return {
    ...rest,
    ...(validation && { validation: loadValidation(join(folder, 'validator'), validation) }),
    prompt: checkShape(words, promptPath, readFileSync(promptPath, 'utf8')),
    test_cases: loadTestCases(join(folder, 'tests')),
    solutions: loadSolutions(join(folder, 'solutions')),
  }
}

function loadValidation(folder: string, validation: DescribedValidation): DemoValidation {
  if (validation.type === 'default') return validation
  const files = validation.files.map((name) => ({ name, content: readValidatorFile(join(folder, name)) }))
  return { ...validation, files }
}

function readValidatorFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (err) {
    throw new Error(`${path}: must be readable, since problem.json names it`, { cause: err })
  }
}

function loadTestCases(folder: string): DemoTestCase[] {
  const files = readdirSync(folder).sort()
  for (const file of files) {
    const match = /^(\d+(?:\.sample)?)\.(in|out)$/.exec(file)
    if (!match)
      throw new Error(
        `${join(folder, file)}: must be called like 01.sample.in, 01.sample.out, 02.in or 02.out`,
      )
    const partner = `${match[1]}.${match[2] === 'in' ? 'out' : 'in'}`
    if (!files.includes(partner)) throw new Error(`${join(folder, file)}: must have a partner ${partner}`)
  }
  const inputs = files.filter((file) => file.endsWith('.in'))
  const samples = inputs.filter((file) => file.endsWith('.sample.in'))
  if (samples.length === 0) throw new Error(`${folder}: must have a sample, 01.sample.in and 01.sample.out`)
  return [...samples, ...inputs.filter((file) => !samples.includes(file))].map((file) =>
    checkShape(testCaseSchema, join(folder, file), {
      input: readFileSync(join(folder, file), 'utf8'),
      expected_output: readFileSync(join(folder, file.replace(/in$/, 'out')), 'utf8'),
      hidden: !samples.includes(file),
    }),
  )
}

function loadSolutions(folder: string): DemoSolution[] {
  const files = readdirSync(folder).sort()
  if (!files.includes('right.js')) throw new Error(`${folder}: must have right.js`)
  return files.map((file) => {
    const [kind, extension, ...rest] = file.split('.')
    if (rest.length > 0) throw new Error(`${join(folder, file)}: must be called like right.js`)
    const source_code = readFileSync(join(folder, file), 'utf8')
    return checkShape(solutionSchema, join(folder, file), { kind, extension, source_code })
  })
}

function readJson(path: string): [path: string, value: unknown] {
  try {
    return [path, JSON.parse(readFileSync(path, 'utf8'))]
  } catch (err) {
    throw new Error(`${path}: must be readable JSON`, { cause: err })
  }
}

function checkShape<T extends TSchema>(schema: T, path: string, value: unknown): Static<T> {
  if (Check(schema, value)) return value
  const problems = Errors(schema, value).map((error) =>
    `${error.instancePath.slice(1)} ${error.message}`.trim(),
  )
  throw new Error(`${path}: ${problems.join('; ')}`)
}
