import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import Type, { type Static } from 'typebox'
import { Parse } from 'typebox/value'

const GroupOfCases = Type.Object(
  {
    points: Type.Number(),
    aggregation: Type.Enum(['sum', 'min']),
    cases: Type.Array(Type.Integer()),
  },
  { additionalProperties: false },
)

const Texts = Type.Array(Type.String())

const Expected = Type.Object(
  {
    title: Type.String(),
    /** The folder around all files of the zip. */
    topFolder: Type.Optional(Type.String()),
    /** The names of the test cases, in the order of judging. */
    tests: Texts,
    /** The test cases that solvers see. */
    public: Type.Optional(Texts),
    hints: Type.Optional(Type.Record(Type.String(), Type.String())),
    descriptions: Type.Optional(Type.Record(Type.String(), Type.String())),
    groups: Type.Optional(Type.Array(GroupOfCases)),
    /** The default validator without flags unless it is set. */
    validation: Type.Optional(
      Type.Object({
        type: Type.Enum(['default', 'custom', 'interactive']),
        flags: Type.String(),
        case_flags: Type.Optional(
          Type.Array(Type.Object({ cases: Type.Array(Type.Integer()), flags: Type.String() })),
        ),
      }),
    ),
    validatorFiles: Type.Optional(Texts),
    validatorContains: Type.Optional(Texts),
    limits: Type.Optional(Type.Record(Type.String(), Type.Number())),
    execution_timeout: Type.Number(),
    provisional: Type.Optional(Type.Boolean()),
    /** The least and the greatest time limit that the programs may lead to, in seconds. */
    computedTimeLimit: Type.Optional(Type.Tuple([Type.Number(), Type.Number()])),
    /** In MiB; 256 unless it is set. */
    memory_limit: Type.Optional(Type.Integer()),
    /** Texts that the problem's source or the package's settings must have. */
    source: Type.Optional(Texts),
    prompt: Texts,
    promptLacks: Type.Optional(Texts),
    categories: Type.Optional(Texts),
    files: Texts,
    /** Files, with lines: `problem.yaml, line 3`. */
    warnings: Type.Optional(Texts),
    /** Names of constants that the statements use. */
    constants: Type.Optional(Texts),
    /** The programs below `submissions` by their verdict and points: `WRONG_ANSWER, 40 points`. */
    programs: Type.Record(Type.String(), Texts),
  },
  { additionalProperties: false },
)

/** A package of `packages/` and what it must become. */
export interface ExpectedPackage extends Static<typeof Expected> {
  readonly name: string
  readonly folder: string
}

/** All packages; each has a folder in `packages/` and a file in `expected/`. */
export const expectedPackages: readonly ExpectedPackage[] = readdirSync(join(import.meta.dirname, 'expected'))
  .sort()
  .map((file) => {
    const name = basename(file, '.json')
    const text = readFileSync(join(import.meta.dirname, 'expected', file), 'utf8')
    return {
      name,
      folder: join(import.meta.dirname, 'packages', name),
      ...Parse(Expected, JSON.parse(text)),
    }
  })
