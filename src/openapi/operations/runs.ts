import { runs, ulla } from '../examples/example-world.ts'
import type { RouteDocs } from '../route-docs.ts'

interface Run {
  readonly id: string
  readonly language_id: string
  readonly source_code: string
  readonly stdin: string
}

const programOf = ({ language_id, source_code, stdin }: Run) => ({ language_id, source_code, stdin })

function pollOf<R extends Run>({ id, language_id, source_code, stdin, ...poll }: R) {
  return poll
}

/** Words and examples for the OpenAPI document. */
export const runDocs = {
  createRun: {
    description: `Queues a program to be run once, on \`stdin\` and no test case; \`stdin\` may be empty. The 201 is the bare id as \`text/plain\`, not JSON: poll
\`GET /v1/input_submissions/{id}\` with it. \`user_id\` may be left out; another's is for admins only (403). An unknown language is 404.`,
    example: { body: { user_id: ulla.id, ...programOf(runs.finished) }, answer: runs.finished.id },
  },
  readRun: {
    description: `Poll until \`finished\` is true; before that \`status\` is \`PENDING\` and there are no outputs. Whoever has a token and knows the id may read a run made
by \`POST /v1/input_submissions\`. Judges and admins read runs of every kind, and with them \`id\`, \`language_id\`, \`source_code\` and \`stdin\`: what a worker
needs to run one.`,
    example: { params: { id: runs.finished.id }, answer: pollOf(runs.finished) },
  },
  createPublicRun: {
    description: `Needs no account: for a page that lets visitors try a program. The 201 is the bare id as \`text/plain\`; poll
\`GET /v1/public/input_submissions/{id}\`, which alone knows it. A \`user_id\` is ignored and not stored.`,
    example: { body: programOf(runs.finishedPublic), answer: runs.finishedPublic.id },
  },
  readPublicRun: {
    description:
      'Poll until `finished` is true. Only runs made by `POST /v1/public/input_submissions` are here; any other is 404.',
    example: { params: { id: runs.finishedPublic.id }, answer: pollOf(runs.finishedPublic) },
  },
  createBenchRun: {
    description: `As the public variant, for measurements: its runs are apart from the public ones. The 201 is the bare id as \`text/plain\`; poll
\`GET /v1/bench/input_submissions/{id}\`.`,
    example: { body: programOf(runs.waitingBench), answer: runs.waitingBench.id },
  },
  readBenchRun: {
    description:
      'Poll until `finished` is true. Only runs made by `POST /v1/bench/input_submissions` are here; any other is 404.',
    example: { params: { id: runs.waitingBench.id }, answer: pollOf(runs.waitingBench) },
  },
  storeRunVerdict: {
    description: `For judges and admins, and for runs of every kind. Only \`status\` is required; \`ACCEPTED\` says that the program ended well. The run is then
\`finished\`, and the next poll shows its outputs. A later verdict replaces an earlier one.`,
    example: {
      params: { submission_id: runs.waiting.id },
      body: {
        status: 'RUNTIME_ERROR',
        stdout: '',
        stderr: 'ZeroDivisionError: division by zero\n',
        runtime: 0.018,
      },
    },
  },
} satisfies Record<string, RouteDocs>
