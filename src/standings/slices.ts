/**
 * The most cells of one slice: reading, counting or writing them takes a few milliseconds, so that
 * other requests do not wait for a large contest.
 */
export const CELLS_IN_SLICE = 4000

/** Lets other work of the process run. */
export const pause = () => new Promise<void>((resolve) => void setImmediate(resolve))

/** Does `work` for the numbers from 0 to `count`, `size` of them between two pauses. */
export async function inSlices(count: number, size: number, work: (index: number) => void): Promise<void> {
  for (let start = 0; start < count; start += size) {
    if (start > 0) await pause()
    const end = Math.min(count, start + size)
    for (let index = start; index < end; index += 1) work(index)
  }
}

/** Comparing names of any script takes about a microsecond. */
const COMPARISONS_IN_SLICE = 4000
const SORTED_AT_ONCE = 256

/** Sorts in slices. */
export async function sortInSlices<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  let runs: T[][] = []
  await inSlices(Math.ceil(items.length / SORTED_AT_ONCE), 1, (number) => {
    const start = number * SORTED_AT_ONCE
    runs.push(items.slice(start, start + SORTED_AT_ONCE).sort(compare))
  })
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let first = 0; first < runs.length; first += 2) {
      merged.push(await mergeInSlices(runs[first] ?? [], runs[first + 1] ?? [], compare))
    }
    runs = merged
  }
  return runs[0] ?? []
}

async function mergeInSlices<T>(
  some: readonly T[],
  others: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<T[]> {
  const merged: T[] = []
  let next = 0
  await inSlices(some.length + others.length, COMPARISONS_IN_SLICE, () => {
    const [one, other] = [some[next], others[merged.length - next]]
    const isFirst = other === undefined || (one !== undefined && compare(one, other) <= 0)
    const taken = isFirst ? one : other
    if (isFirst) next += 1
    if (taken !== undefined) merged.push(taken)
  })
  return merged
}
