import type { Static } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { createInTransaction } from '../../../http/routing/idempotency.ts'
import { found, notFound } from '../../../http/routing/responses.ts'
import type { RequestContext } from '../../../http/routing/route.ts'
import { submitToEvent } from '../../judging/submissions/submit-to-event.ts'
import type { Collections } from './collections.ts'
import { readWriter, type Writer } from './contest-sql.ts'
import { readProgramZip } from './read-program-zip.ts'
import type { SubmissionBody } from './write-schemas.ts'

type Body = Static<typeof SubmissionBody>

type Submitting = RequestContext<'user or Basic', { event_id: number }, unknown, Body>

/**
 * Stores the caller's submission by the rules of `POST /v1/submissions` (D24, P21, P26). Returns it
 * as the collection shows it. Throws as the event refuses it, VALIDATION and FORBIDDEN.
 */
export async function submit(
  { db, request, actor, params: { event_id }, body }: Submitting,
  { problems, submissions }: Collections,
  mostBytes: number,
): Promise<string> {
  requireAccount(actor)
  const writer = found(await db.query(readWriter, { event_id }), 'contest')
  requireOwn(body, writer, actor.id)
  const problemId = problems.keyOf(body.problem_id)
  const [file] = body.files
  if (problemId === undefined) throw notFound('problem')
  if (file === undefined) throw new AppError('VALIDATION', 'files must have 1 item')
  const values = {
    ...{ event_id, user_id: actor.id, language_id: body.language_id },
    problem_id: Number(problemId),
    source_code: await readProgramZip(file.data, mostBytes),
    id: uuidv7(),
  }
  return createInTransaction({ db, request }, actor.id, (once) =>
    once.transaction(async (tx) => {
      await submitToEvent(tx, values)
      // The submission's lock of the event keeps its participants until the end of the transaction.
      return found(await tx.query(submissions.named, { event_id, keys: [values.id] }), 'submission').item
    }),
  )
}

/** Judges have no account: they read only. Throws FORBIDDEN. */
export function requireAccount({ role }: Actor): void {
  if (role === 1) throw new AppError('FORBIDDEN', 'Judges have no capabilities in the Contest API')
}

function requireOwn({ team_id, account_id }: Body, writer: Writer, ownId: string): void {
  // In a contest without teams the caller becomes a team by submitting.
  const ownTeamId = writer.has_teams ? writer.team_id : ownId
  if (team_id != null && team_id !== ownTeamId) {
    throw new AppError('FORBIDDEN', 'team_id must be the caller’s own team, or absent')
  }
  if (account_id != null && account_id !== ownId) {
    throw new AppError('FORBIDDEN', 'account_id must be the caller’s own, or absent')
  }
}
