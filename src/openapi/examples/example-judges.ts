import type { Static } from 'typebox'
import type { JudgeResponse } from '../../features/judging/judges/schemas.ts'
import { pendingSubmission } from './example-submissions.ts'
import { cpp, python } from './example-world.ts'

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
