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

/**
 * Counts solved problems and penalty from the archived submissions alone, for a contest without
 * points: 20 minutes for each rejected submission before the first accepted one.
 */
export function recount(submissions: readonly ArchivedSubmission[], start: string) {
  const results = new Map<string, { solved: number; penalty: number }>()
  const inTime = submissions.toSorted((one, other) => Date.parse(one.submitted) - Date.parse(other.submitted))
  const cells = new Set(inTime.map(({ user_id, problem }) => `${user_id} ${problem}`))
  for (const key of cells) {
    const inOrder = inTime.filter(({ user_id, problem }) => `${user_id} ${problem}` === key)
    const first = inOrder.findIndex(({ verdict }) => verdict === 'ACCEPTED')
    if (first < 0) continue
    const minutes = Math.floor((Date.parse(inOrder[first]?.submitted ?? '') - Date.parse(start)) / 60_000)
    const [user = ''] = key.split(' ')
    const { solved, penalty } = results.get(user) ?? { solved: 0, penalty: 0 }
    results.set(user, { solved: solved + 1, penalty: penalty + minutes + 20 * first })
  }
  return results
}
