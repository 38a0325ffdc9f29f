import type { Static } from 'typebox'
import type { VerificationResponse } from '../../features/judging/verifications/schemas.ts'
import type {
  ImportedResponse,
  ProblemFileResponse,
} from '../../features/problems/problem-packages/schemas.ts'
import { hiddenCase, sumOfTwo } from '../examples/example-world.ts'
import type { SomeOperations } from '../operation-docs.ts'

type Verification = Static<typeof VerificationResponse>

const sum = { path: 'submissions/accepted/sum.py', language: 'Python', expected: 'ACCEPTED' }
const product = { path: 'submissions/wrong_answer/product.py', language: 'Python', expected: 'WRONG_ANSWER' }
const check = { path: 'input_validators/check.py', kind: 'input' as const }

/** A verification whose judgings have no verdict yet. */
const pendingVerification: Verification = {
  id: '019bc2fa-10c8-7b63-a4d1-6e0f92b7d358',
  problem_id: sumOfTwo.id,
  status: 'PENDING',
  created_at: '2026-01-16T09:40:00Z',
  programs: [
    { ...sum, status: 'PENDING' },
    { ...product, status: 'PENDING' },
  ],
  validators: [{ ...check, status: 'PENDING', rejected: [] }],
  time_limit: { seconds: 5, provisional: false },
}

/** The programs are as expected, but the validator rejects an input. */
export const finishedVerification: Verification = {
  ...pendingVerification,
  status: 'DONE',
  agrees: false,
  programs: [
    { ...sum, status: 'ACCEPTED', slowest_time: 0.021, agrees: true },
    { ...product, status: 'WRONG_ANSWER', slowest_time: 0.02, agrees: true },
  ],
  validators: [
    {
      ...check,
      status: 'REJECTED',
      agrees: false,
      rejected: [{ test_case: hiddenCase.id, message: 'a number above 1000\n[exit code 43]' }],
    },
  ],
  time_limit: { seconds: 5, provisional: false, computed: 1, slowest_accepted: 0.021 },
}

const problem_id = sumOfTwo.id

const imported: Static<typeof ImportedResponse> = {
  problem_id,
  imported: { test_cases: 2, statements: 1, files: 3, submissions: 1, validators: 1, categories: 0 },
  warnings: [],
}

/** A picture of a statement. */
export const diagram: Static<typeof ProblemFileResponse> = {
  name: 'diagram.png',
  path: 'statement/diagram.png',
  bytes: 20_311,
  type: 'image/png',
}

const PARTS = `The body is a zip file in the problem package format of the ICPC and Kattis: version
\`legacy\`, \`legacy-icpc\` or \`2025-09\`, and of \`2023-07-draft\` the parts that it shares with them.
Settings of DOMjudge (\`domjudge-problem.ini\`, \`.timelimit\`) are read too. All of the package is
imported or nothing. \`warnings\` names everything that was not imported, or is not used. A faulty
package gets 400 with the file, and the line where one is known.`

const verification_id = finishedVerification.id

export const problemPackageOperations = {
  importProblemPackage: {
    summary: 'Import a problem package',
    description: `For admins. ${PARTS}

The new problem is private and its difficulty is \`MEDIUM\`, unless the query says otherwise. Its
categories are the keywords; new ones are created. In names U+FFFD replaces invisible, control and
direction characters, with a warning. Without a time limit it has a provisional one of
2 seconds; verification of the package replaces it.`,
    example: { query: { difficulty: 'EASY' }, response: { ...imported, problem_id: 3 } },
  },
  replaceProblemPackage: {
    summary: 'Replace a problem by a package',
    description: `For admins. ${PARTS}

Test cases whose texts are the same keep their ids. Visibility stays as it is unless it is sent, and
difficulty unless it is sent or in the package.`,
    example: { response: imported },
  },
  exportProblemPackage: {
    summary: 'Export a problem as a package',
    description: `For admins. The response is a package of version \`2025-09\` that imports as the
same problem, in a folder of its own. The file \`.judge-data-layer.json\` has the settings that the
format cannot express; other judges ignore it.`,
  },
  listProblemFiles: {
    summary: 'List the files of a problem',
    description: `Statements, pictures, attachments and samples in other forms, for everybody who may
see the problem.`,
    example: { response: [diagram] },
  },
  readProblemFile: {
    summary: 'Read a file of a problem',
    description: `Pictures (PNG, JPEG, GIF), PDF and plain text are shown by browsers; every other file is a
download, also SVG and HTML. No script in a file runs.`,
    example: { params: { name: diagram.name } },
  },
  createVerification: {
    summary: 'Verify a problem package',
    description: `For admins. Has workers judge every program in \`submissions\` of the problem's
package on all test cases, and run every program in \`input_validators\` and \`answer_validators\`, as
shadow judgings. The report compares the results with those that the package expects. The CPU limit of
these judgings is higher than the problem's, so that slow programs show how slow they are; it is at
least twice the limit, and 10 seconds if the limit is provisional. After the last verdict, a limit that
is still provisional is replaced by the computed one. A problem without stored programs and validators
gets 400.`,
    example: { response: pendingVerification },
  },
  readVerification: {
    summary: 'Read the report of a verification',
    description: `For admins. Poll it until \`status\` is \`DONE\`. The results are compared with the
package, limit and groups of the time when the verification was requested. Programs that the service
cannot judge, such as those in a language that it does not offer, are \`NOT_JUDGED\` with the reason, and
do not change \`agrees\`. A time limit that does not fit the programs has a \`message\`, and does not agree.`,
    example: { params: { verification_id }, response: finishedVerification },
  },
} satisfies SomeOperations
