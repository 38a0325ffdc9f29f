import type { NamedValues } from '../../src/db/statement.ts'
import { NIL_UUID } from '../../src/http/routing/tokens.ts'
import type { List } from '../../src/lists/definition.ts'
import type { Case } from './explain.ts'
import { idOf, LARGE, ROWS, submissionOf, teamOf } from './filled-tables.ts'

export const fresh = 'ffffffff-ffff-7fff-bfff-ffffffffffff'
export const middle = idOf(ROWS / 2)
export const language_id = idOf(3)
export const source_code = 'print(3)'
export const [participant, stranger, busy, admin] = [idOf(77), idOf(33_333), idOf(7), idOf(1)]
export const event_id = LARGE
export const team_id = teamOf(77)
export const submission_id = submissionOf(77, 7, 1)
export const as = (actor: string, actor_role = 0) => ({ actor, actor_role, actor_session: 1 })
/** Participates in the large event. */
export const asParticipant = as(participant)
/** Has one submission, and does not participate in the large event. */
export const asStranger = as(stranger)
/** Has 500 submissions. */
export const asBusy = as(busy)
export const asAdmin = as(admin, 2)
export const asJudge = as(NIL_UUID, 1)
export const asNobody = { actor: null, actor_role: 0, actor_session: null }

export const most_bytes = 2 ** 20
export const size = { most_bytes, known_version: null }
export const whole_tests_bytes = 2 ** 26

export const first = { page_limit: 20 }
export const after = (...key: (string | number)[]): NamedValues => ({
  page_limit: 20,
  ...Object.fromEntries(key.map((part, place) => [`page_after_${place}`, part])),
})
export const minutesAgo = (minutes: number) => String((Date.now() - minutes * 60_000) * 1000)

export function versionOf({ name, version }: Pick<List, 'name' | 'version'>) {
  if (version === undefined) throw new Error(`${name} has no version`)
  return version
}

export type Forms = Pick<List, 'whole' | 'first' | 'after'>

/** The first page of a list, and the page after the key. */
export const pages = (list: Forms, values: NamedValues, ...key: (string | number)[]): Case[] => [
  [list.first, { ...values, ...first }],
  [list.after, { ...values, ...after(...key) }],
]

/** The whole list and its pages. */
export const formsOf = (list: Forms, values: NamedValues, ...key: (string | number)[]): Case[] => [
  [list.whole, values],
  ...pages(list, values, ...key),
]

/** A request without an `Idempotency-Key`, and one with. */
export const noKey = { key_caller: null, key: null, request_hash: null, canonical_hash: null }
export const withKey = { key_caller: stranger, key: 'key', request_hash: 'hash', canonical_hash: 'hash' }

export const submission = { id: fresh, language_id, source_code, ...withKey }
export const outputs = { stdout: '', stderr: '' }
export const judged = { judging: null, status: 'WRONG_ANSWER', time_elapsed: 0.5 }
export const details = {
  memory_used: 1024,
  score: null,
  worker: 'judge-1',
  judge_message: null,
  case_details: '[]',
}
export const verdict = { ...judged, ...outputs, ...details, test_case_results: '[]', capabilities: [] }
