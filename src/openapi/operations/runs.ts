import type { runRoutes } from '../../features/judging/runs/routes.ts'
import { runs, ulla } from '../examples/example-world.ts'
import type { Operations } from '../operation-docs.ts'

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

export const runOperations: Operations<ReturnType<typeof runRoutes>[number]> = {
  createRun: {
    summary: 'Run a program on your own input',
    description: `Queues a program to run once, on \`stdin\` and without test cases; \`stdin\` may
be empty. The 201 is the id as \`text/plain\`, not JSON: poll \`GET /v1/input_submissions/{id}\`
with it. \`user_id\` is optional; only admins may send another user's (403). An unknown language
gets 404. A user has at most 10 unfinished runs, more get 429 (\`RUNS_UNFINISHED_PER_USER\`). Runs are
deleted after a week (\`RUN_RETENTION_HOURS\`).`,
    example: { body: { user_id: ulla.id, ...programOf(runs.finished) }, response: runs.finished.id },
  },
  readRun: {
    summary: 'Poll a run; judges and admins get the program too',
    description: `Poll until \`finished\` is true; until then \`status\` is \`PENDING\` and there
are no outputs. Any user who knows the id may read a run of \`POST /v1/input_submissions\`. Judges
and admins read runs of every kind, with the fields that a worker needs: \`id\`, \`language_id\`,
\`language\`, \`source_code\`, \`stdin\` and \`judging\`. \`language\` is there even if it was retired.
\`attempt\` is the same number as \`judging\`, for older workers.`,
    example: { params: { id: runs.finished.id }, response: pollOf(runs.finished) },
  },
  createPublicRun: {
    summary: 'Run a program on your own input, without an account (public)',
    description: `Needs no account: for a page where visitors try a program. The 201 is the id as
\`text/plain\`; only \`GET /v1/public/input_submissions/{id}\` knows it. \`user_id\` is ignored and
not stored. An address has at most 3 unfinished runs on the public and bench routes together, more
get 429 (\`RUNS_UNFINISHED_PER_ADDRESS\`). Runs are deleted after a day (\`RUN_RETENTION_HOURS\`).`,
    example: { body: programOf(runs.finishedPublic), response: runs.finishedPublic.id },
  },
  readPublicRun: {
    summary: 'Poll a run that was created without an account (public)',
    description: `Poll until \`finished\` is true. Knows only the runs of
\`POST /v1/public/input_submissions\`; others get 404.`,
    example: { params: { id: runs.finishedPublic.id }, response: pollOf(runs.finishedPublic) },
  },
  createBenchRun: {
    summary: 'Run a program on your own input, without an account (bench)',
    description: `The public variant for measurements; its runs are separate from the public ones.
The 201 is the id as \`text/plain\`; poll \`GET /v1/bench/input_submissions/{id}\`. The
limits and the retention are the same as for the public routes.`,
    example: { body: programOf(runs.waitingBench), response: runs.waitingBench.id },
  },
  readBenchRun: {
    summary: 'Poll a run that was created without an account (bench)',
    description: `Poll until \`finished\` is true. Knows only the runs of
\`POST /v1/bench/input_submissions\`; others get 404.`,
    example: { params: { id: runs.waitingBench.id }, response: pollOf(runs.waitingBench) },
  },
  storeRunVerdict: {
    summary: 'Store the outcome of a run',
    description: `For judges and admins, and for runs of every kind. Only \`status\` is required;
\`ACCEPTED\` means that the program ended without an error. The run is then \`finished\`, and the
next poll shows its outputs. A later verdict replaces an earlier one. A worker sends the \`judging\`
of the run that it read; \`attempt\` is the older name, and both together must not differ (400).`,
    example: {
      params: { submission_id: runs.waiting.id },
      body: {
        status: 'RUNTIME_ERROR',
        stdout: '',
        stderr: 'ZeroDivisionError: division by zero\n',
        runtime: 0.018,
        judging: 1,
        attempt: 1,
      },
    },
  },
}
