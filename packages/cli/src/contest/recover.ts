import { basename, resolve } from 'node:path'
import type { Schemas } from '@judge-data-layer/client'
import { usageError } from '../shared/errors.ts'
import type { Wanted, WantedProblem } from './contest-file.ts'
import type { Lock } from './lock.ts'
import type { ServiceState } from './read-state.ts'

/**
 * Completes a lock after an interruption: finds the problems and the contest that the service has
 * created although no response arrived. Also follows packages that were moved, and forgets problems
 * that were deleted. Throws a usage error if it cannot tell.
 */
export function recoverLock(lock: Lock, wanted: Wanted, service: ServiceState, userId: string): Lock {
  const problems = recoverProblems(followMoves(forgetDeleted(lock, service), wanted), wanted, service, userId)
  return recoverContest(problems, service, userId)
}

function forgetDeleted(lock: Lock, { problems }: ServiceState): Lock {
  const ids = new Set(problems.map(({ id }) => id))
  const known = Object.entries(lock.problems).filter(([, { id }]) => ids.has(id))
  return { ...lock, problems: Object.fromEntries(known) }
}

/** A package with another path and the same content is the same problem. */
function followMoves(lock: Lock, wanted: Wanted): Lock {
  const paths = new Set(wanted.problems.map(({ path }) => path))
  const problems = { ...lock.problems }
  for (const { path, hash } of wanted.problems) {
    if (problems[path] !== undefined) continue
    const [former] = Object.entries(problems).filter(([old, one]) => !paths.has(old) && one.package === hash)
    if (former === undefined) continue
    problems[path] = former[1]
    delete problems[former[0]]
  }
  return { ...lock, problems }
}

function recoverProblems(lock: Lock, wanted: Wanted, service: ServiceState, userId: string): Lock {
  const { importing = {}, ...rest } = lock
  const problems = { ...lock.problems }
  const unknown = { ...importing }
  for (const problem of wanted.problems) {
    const { after } = importing[problem.path] ?? {}
    if (after === undefined || problems[problem.path] !== undefined) continue
    const known = new Set(Object.values(problems).map(({ id }) => id))
    const found = service.problems.filter(
      ({ id, user_id, public: isPublic }) => id > after && user_id === userId && !isPublic && !known.has(id),
    )
    const id = chooseProblem(problem, found)
    // Without a hash, its package is sent again.
    if (id !== undefined) problems[problem.path] = { id }
    delete unknown[problem.path]
  }
  return { ...rest, problems, ...(Object.keys(unknown).length > 0 && { importing: unknown }) }
}

/** The package would replace a problem that only looks like it, so doubt is an error. */
function chooseProblem(
  { path }: WantedProblem,
  found: readonly Schemas['ProblemSummary'][],
): number | undefined {
  if (found.length === 0) return undefined
  const name = basename(resolve(path)).replace(/\.zip$/i, '')
  const [one, ...others] = found.filter(({ identifier }) => identifier === name)
  if (one !== undefined && others.length === 0) return one.id
  const list = found.map(({ id, identifier, title }) => `  ${id}  ${identifier}  ${title}`).join('\n')
  throw usageError(
    `The import of ${path} was interrupted. One of these problems may come from it:\n${list}\nIf so, write its id into contest.lock below problems: "${path}": {id: ID}. If not, remove "${path}" below importing.`,
  )
}

function recoverContest(lock: Lock, { events }: ServiceState, userId: string): Lock {
  const { creating, ...rest } = lock
  if (creating === undefined || lock.contest !== undefined) return rest
  const { after, title, problems: ids } = creating
  const hasSameProblems = (problems: readonly { readonly id: number }[]) =>
    problems.length === ids.length && problems.every(({ id }) => ids.includes(id))
  const found = events.find(
    (event) =>
      event.id > after &&
      event.user_id === userId &&
      event.title === title &&
      hasSameProblems(event.problems),
  )
  return found === undefined ? lock : { ...rest, contest: found.id }
}
