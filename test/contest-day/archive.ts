import { text } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import { openPromise } from 'yauzl'

/** A row of `submissions.csv`. */
export type ArchivedSubmission = Readonly<
  Record<'id' | 'user_id' | 'problem' | 'submitted' | 'verdict' | 'file', string>
>

/** The files of an archive, by their names without the top folder. */
export async function readArchive(file: string): Promise<ReadonlyMap<string, string>> {
  const zip = await openPromise(file)
  const files = new Map<string, string>()
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName.slice(entry.fileName.indexOf('/') + 1)
    files.set(name, await text(await zip.openReadStreamPromise(entry)))
  }
  return files
}

/** Reads a CSV file of the archive. */
export const readRows = (csv = ''): ArchivedSubmission[] => parse(csv, { bom: true, columns: true })

/** The result of a person who has solved something. */
export interface Result {
  readonly solved: number
  readonly penalty: number
  /** The time of the last first accepted submission. */
  readonly last: number
}

/**
 * Counts solved problems and penalty from the archived submissions alone, for a contest without
 * points: 20 minutes for each rejected submission before the first accepted one.
 */
export function recount(submissions: readonly ArchivedSubmission[], start: string): Map<string, Result> {
  const results = new Map<string, Result>()
  const inTime = submissions.toSorted((one, other) => Date.parse(one.submitted) - Date.parse(other.submitted))
  const cells = new Set(inTime.map(({ user_id, problem }) => `${user_id} ${problem}`))
  for (const key of cells) {
    const inOrder = inTime.filter(({ user_id, problem }) => `${user_id} ${problem}` === key)
    const first = inOrder.findIndex(({ verdict }) => verdict === 'ACCEPTED')
    if (first < 0) continue
    const accepted = Date.parse(inOrder[first]?.submitted ?? '')
    const minutes = Math.floor((accepted - Date.parse(start)) / 60_000)
    const [user = ''] = key.split(' ')
    const { solved, penalty, last } = results.get(user) ?? NOTHING
    results.set(user, {
      ...{ solved: solved + 1, penalty: penalty + minutes + 20 * first },
      last: Math.max(last, accepted),
    })
  }
  return results
}

export const NOTHING: Result = { solved: 0, penalty: 0, last: 0 }

/** The place of a result: people with the same result share it. */
export function placeOf(result: Result, all: readonly Result[]): number {
  const isBefore = (other: Result) =>
    other.solved - result.solved || result.penalty - other.penalty || result.last - other.last
  return 1 + all.filter((other) => isBefore(other) > 0).length
}
