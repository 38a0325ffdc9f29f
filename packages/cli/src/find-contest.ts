import { usageError } from './errors.ts'

/** Stand-in until the merge. */
export async function findContest(name: string | undefined): Promise<number> {
  if (name !== undefined && /^\d{1,10}$/.test(name)) return Number(name)
  throw usageError('Name the contest by its id.')
}
