import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { openMigratedDatabase } from '../../local-servers/test/test-database.ts'
import { withApplied } from '../checks.ts'
import { checkRejudgings } from '../rejudging-checks.ts'
import type { Rejudging } from '../rejudgings.ts'
import type { SentVerdict } from '../worker.ts'
import { findAfter } from './find-after.ts'

const [user, language, changed, same] = Array.from({ length: 4 }, () => randomUUID())
const [applied, cancelled, open] = [randomUUID(), randomUUID(), randomUUID()]
const [ofChanged, ofSame, kept, deleted, waiting] = Array.from({ length: 5 }, () => randomUUID())

const requested: readonly Rejudging[] = [
  { id: applied, decided: 'APPLIED' },
  { id: cancelled, decided: 'CANCELLED' },
  { id: open },
]

/** An applied rejudging of two submissions, of which one has changed; others with one of them. */
const RECORDS = `
  insert into users (id, name, email, image, join_date) values ('${user}', 'user', 'u@example.org', '', now());
  insert into languages (id, name, version, extension) values ('${language}', 'Python', '', 'py');
  insert into problems (
    user_id, title, identifier, prompt, source, difficulty, public, accept_timeout, execution_timeout, memory_limit)
  values ('${user}', 'Problem', 'problem', '', '', 'Easy', true, 10, 5, 256);
  insert into submissions (
    id, user_id, problem_id, language_id, source_code, attempt, verdict_attempt, status, time_elapsed, judged_at)
  values ('${changed}', '${user}', 1, '${language}', '', 2, 2, 'ACCEPTED', 0.5, now()),
         ('${same}', '${user}', 1, '${language}', '', 1, 1, 'WRONG_ANSWER', 0.1, now());
  insert into verdicts (submission_id, attempt, status, time_elapsed, stdout, stderr, judged_at)
  values ('${changed}', 1, 'WRONG_ANSWER', 0.2, '', '', now());
  insert into rejudging_decisions (
    id, requested_by, state, total, waiting, deleted, applied, unchanged, left_out, rank_changes)
  values ('${applied}', '${user}', 'APPLIED', 2, 0, 0, 1, 1, 0, '[]'),
         ('${cancelled}', '${user}', 'CANCELLED', 2, 0, 0, null, null, null, null),
         ('${open}', '${user}', 'OPEN', 1, 0, 0, null, null, null, null);
  insert into rejudging_items (decision_id, submission_id, shadow_judging_id, attempt, verdict_attempt, status, outcome)
  values ('${applied}', '${changed}', '${ofChanged}', 1, 1, 'WRONG_ANSWER', 'CHANGED'),
         ('${applied}', '${same}', '${ofSame}', 1, 1, 'WRONG_ANSWER', 'UNCHANGED'),
         ('${cancelled}', '${changed}', '${kept}', 2, 2, 'ACCEPTED', null),
         ('${cancelled}', '${same}', '${deleted}', 1, 1, 'WRONG_ANSWER', null),
         ('${open}', '${same}', '${waiting}', 1, 1, 'WRONG_ANSWER', null);
  insert into shadow_judgings (id, requested_by, problem_id, language_id, source_code, status, time_elapsed, judged_at)
  values ('${ofChanged}', '${user}', 1, '${language}', '', 'ACCEPTED', 0.5, now()),
         ('${ofSame}', '${user}', 1, '${language}', '', 'WRONG_ANSWER', 0.6, now()),
         ('${kept}', '${user}', 1, '${language}', '', 'WRONG_ANSWER', 0.7, now()),
         ('${waiting}', '${user}', 1, '${language}', '', 'PENDING', 0, null)`

const database = await openMigratedDatabase()
await database.transaction((tx) => tx.execute(RECORDS))

const STATE = 'rejudgings in another state than their response said'
const IN_PART = 'rejudgings applied in part'
const TOUCHED = 'rejudgings not applied, with applied parts'
const INCOMPLETE = 'open rejudgings without all judgings'
const WITHOUT = 'submissions without the one verdict of an applied rejudging'
const FOREIGN = 'submissions with a verdict that was not applied'

const setDecision = (id: string, values: string) =>
  `update rejudging_decisions set ${values} where id = '${id}'`
const setItem = (shadow: string | undefined, values: string) =>
  `update rejudging_items set ${values} where shadow_judging_id = '${shadow}'`
const setSubmission = (id: string | undefined, values: string) =>
  `update submissions set ${values} where id = '${id}'`
const giveBack = `
  update submissions
  set attempt = 1, verdict_attempt = 1, status = 'WRONG_ANSWER', time_elapsed = 0.2 where id = '${changed}'`
const deleteOpen = `
  delete from rejudging_items where decision_id = '${open}';
  delete from rejudging_decisions where id = '${open}'`
const undoApplied = [
  ...[setDecision(applied, `state = 'OPEN'`), setItem(ofChanged, 'outcome = null')],
  ...[setItem(ofSame, 'outcome = null'), giveBack],
].join(';')
const reopenCancelled = setDecision(cancelled, `state = 'OPEN'`)
const leavePending = `update shadow_judgings set status = 'PENDING', judged_at = null where id = '${kept}'`
const replaceMoved = `update verdicts set time_elapsed = 0.7 where submission_id = '${changed}'`

it.each<[string, string, ...string[]]>([
  ['nothing where all is well', ''],
  ['a lost rejudging', deleteOpen, 'rejudgings LOST after their 202'],
  ['one that was cancelled in its response only', reopenCancelled, STATE, INCOMPLETE],
  ['one that was applied in its response only', undoApplied, STATE],
  ['an item that was not applied', setItem(ofSame, 'outcome = null'), IN_PART],
  ['a wrong count', setDecision(applied, 'unchanged = 2'), IN_PART],
  ['missing changes of ranks', setDecision(applied, 'rank_changes = null'), IN_PART],
  ['an applied item of an open rejudging', setItem(waiting, `outcome = 'UNCHANGED'`), TOUCHED],
  ['a deleted judging of an open one', `delete from shadow_judgings where id = '${waiting}'`, INCOMPLETE],
  ['a pending judging of a cancelled one', leavePending, 'pending judgings of cancelled rejudgings'],
  ['a verdict that was not moved', giveBack, WITHOUT],
  ['another verdict', setSubmission(changed, `status = 'RUNTIME_ERROR'`), WITHOUT],
  ['a verdict twice', `update verdicts set attempt = 2 where submission_id = '${changed}'`, WITHOUT],
  ['a moved verdict of a cancelled one', setSubmission(changed, 'time_elapsed = 0.7'), WITHOUT, FOREIGN],
  ['a moved verdict that changes nothing', setSubmission(same, 'time_elapsed = 0.6'), FOREIGN],
  ['a moved verdict that was replaced later', replaceMoved, FOREIGN],
])('the checks of rejudgings find %s', async (_, sql, ...findings) => {
  expect(await findAfter(database, sql, (db) => checkRejudgings(db, requested))).toEqual(findings)
})

it('the verdict of an applied rejudging counts as sent, if it was delivered', async () => {
  const verdict = { id: `${changed}`, judging: 1, status: 'WRONG_ANSWER', time_elapsed: 0.2 }
  const moved = { ...verdict, judging: 2, status: 'ACCEPTED', time_elapsed: 0.5 }
  const worker = {
    kind: 'instant' as const,
    verdicts: new Map<string, SentVerdict[]>([[`${changed}`, [verdict]]]),
    deliveries: new Map([[`${ofChanged} 1`, 1]]),
  }
  const { verdicts, deliveries } = await withApplied(database, worker)
  expect([...verdicts]).toEqual([[`${changed}`, [verdict, moved]]])
  expect([...deliveries.keys()]).toEqual([`${ofChanged} 1`, `${changed} 2`])
  expect((await withApplied(database, { ...worker, deliveries: new Map() })).deliveries.size).toBe(0)
})
