import type { Static } from 'typebox'
import type { JudgeResponse } from '../../features/judging/judges/schemas.ts'
import { pendingSubmission } from '../examples/example-submissions.ts'
import { cpp, python, runs, ulla } from '../examples/example-world.ts'
import type { SomeOperations } from '../operation-docs.ts'

const judgeLanguages = [cpp, python].map(({ name, version }) => ({ name, version }))

/** A worker that judges Ulla's pending submission. */
export const busyJudge: Static<typeof JudgeResponse> = {
  name: 'judge-1',
  version: '0.2.0',
  connected: true,
  concurrency: 4,
  languages: judgeLanguages,
  judging: [{ kind: 'submission', id: pendingSubmission.id, since: '2026-01-10T09:31:01Z' }],
  first_seen_at: '2026-01-03T08:00:00Z',
  started_at: '2026-01-10T07:45:12Z',
  last_seen_at: '2026-01-10T09:31:09Z',
}

/** The names of the languages that it has. */
export const availableNames = ['c++', 'cpp', 'py', 'python']

type Run = Pick<typeof runs.finished, 'id' | 'language_id' | 'source_code' | 'stdin'>

const programOf = ({ language_id, source_code, stdin }: Run) => ({ language_id, source_code, stdin })

function pollOf<R extends Run>({ id, language_id, source_code, stdin, ...poll }: R) {
  return poll
}

const javascript = { name: 'JavaScript', extension: 'js', version: 'Node.js' }

export const judgingOperations = {
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
  listLanguages: {
    summary: 'List the languages in use',
    description: `Needs no token. Submissions and runs send the \`id\` as \`language_id\`. In the
order of the language file, then of addition; without retired languages. \`available\` is there while
a worker that has registered is connected.`,
    example: { response: [cpp, python].map((language) => ({ ...language, available: true })) },
  },
  createLanguage: {
    summary: 'Add a language that the judge is configured for',
    description: `For admins. \`name\` must be a name or an alias in the judge's language file, in
upper or lower case, and \`extension\` one of that language's, with or without its dot: anything
else gets 400 with the accepted values. A name and version that exist get 400 as well.`,
    example: { body: javascript, response: { id: '019bb193-9d80-723b-ac96-57695988c972', ...javascript } },
  },
  deleteLanguage: {
    summary: 'Retire a language; its submissions stay',
    description: `For admins. The language leaves the list, and new submissions and runs in it get
404; existing submissions stay and can still be judged.`,
    example: { params: { language_id: python.id } },
  },
  listJudges: {
    summary: 'List the workers that have registered',
    description: `For admins. By name: which worker judges what and since when, also workers that
have stopped. A worker that does not register for a minute is not connected. After seven days it
leaves the list. A worker may judge without registering.`,
    example: { response: [busyJudge] },
  },
  registerJudge: {
    summary: 'Register a worker, or say that it still works',
    description: `For judge workers, which repeat the request every 15 seconds. It replaces what the
service knows of the worker of this name: names must differ. Registering is optional; the service
uses it for \`GET /v1/judges\`, \`available\` in \`GET /v1/languages\` and its metrics only. A worker that
stops sends \`stopped\`.`,
    example: {
      params: { judge_name: 'judge-2' },
      body: {
        languages: [{ name: 'Python', version: '3.12', aliases: ['py'] }],
        concurrency: 2,
        version: '0.2.0',
        judging: [],
      },
    },
  },
} satisfies SomeOperations
