import { finishedVerification } from '../../src/openapi/examples/example-verification.ts'
import * as world from '../../src/openapi/examples/example-world.ts'
import { diagram } from '../../src/openapi/operations/problem-packages.ts'

const { id: verification_id, problem_id, created_at, programs, validators } = finishedVerification
const { ada, sumOfTwo, sampleCase, hiddenCase, python } = world
const id = (last: number) => `019bc2fa-10c8-7b63-a4d1-6e0f92b7d36${last}`
const limit = { seconds: sumOfTwo.execution_timeout, provisional: false }
const version = '0b54f0c3-97a5-4f0e-9c1d-6d1b6a1c7e20'
const metadata = {
  ...{ format: '2025-09', type: ['pass-fail'], names: { en: sumOfTwo.title }, keywords: [] },
  ...{ limits: { time_limit: limit.seconds }, prompt_language: 'en', prompt_hash: null, input_flags: {} },
}

const RULES: Readonly<Record<string, readonly object[]>> = {
  ACCEPTED: [{ permitted: ['AC'] }],
  WRONG_ANSWER: [{ permitted: ['AC', 'WA'], required: ['WA'] }],
}

const plan = {
  ...{ limit, package_limits: metadata.limits, tests_version: version, case_names: {} },
  programs: programs.map(({ path, language, expected }, i) => ({
    ...{ path, language, expected, factor: 1, rules: RULES[expected], judging: id(i) },
  })),
  validators: validators.map(({ path, kind }) => ({ path, kind, judging: id(9) })),
}

/** The texts of the files of the package. */
const TEXTS: Readonly<Record<string, string>> = {
  'submissions/accepted/sum.py': 'print(sum(map(int, input().split())))\n',
  'submissions/wrong_answer/product.py': 'a, b = map(int, input().split())\nprint(a * b)\n',
  'input_validators/check.py': 'exit(42 if max(map(int, input().split())) <= 1000 else 43)\n',
}

const files = [
  ...Object.entries(TEXTS).map(([path, text], i) => ({
    ...{ id: id(i + 3), problem_id, path, bytes: text.length },
    content: `\\x${Buffer.from(text).toString('hex')}`,
  })),
  { ...diagram, id: id(8), problem_id, content: `\\x${'00'.repeat(diagram.bytes)}` },
]

const judged = {
  requested_by: ada.id,
  problem_id,
  language_id: python.id,
  verification_id,
  stdout: '',
  stderr: '',
}

const results = (
  ...given: readonly (readonly [status: string, time_elapsed: number, judge_message?: string | undefined])[]
) =>
  given.map(([status, time_elapsed, judge_message], i) => ({
    ...{ test_case_id: [sampleCase, hiddenCase][i]?.id, passed: status === 'ACCEPTED' },
    ...{ status, time_elapsed, judge_message },
  }))

const rejected = validators[0]?.rejected[0]?.message
const verdicts = [
  { id: id(0), status: 'ACCEPTED', case_details: results(['ACCEPTED', 0.02], ['ACCEPTED', 0.021]) },
  {
    id: id(1),
    status: 'WRONG_ANSWER',
    case_details: results(['WRONG_ANSWER', 0.019], ['WRONG_ANSWER', 0.02]),
  },
  {
    id: id(9),
    status: 'WRONG_ANSWER',
    case_details: results(['ACCEPTED', 0.02], ['WRONG_ANSWER', 0.02, rejected]),
  },
]

/** The rows of the example of a verification. */
export const verificationRows: Record<string, readonly object[]> = {
  problem_packages: [{ problem_id, metadata, version }],
  problem_files: files,
  problem_file_parts: files.map(({ id: file_id, content }) => ({ file_id, number: 0, content })),
  verifications: [
    {
      ...{ id: verification_id, problem_id, requested_by: ada.id, created_at, plan },
      ...{ package_version: version, settled_at: created_at },
    },
  ],
}

export const verifiedShadows: readonly object[] = verdicts.map((verdict) => ({
  ...{ ...judged, ...verdict, source_code: '' },
}))
