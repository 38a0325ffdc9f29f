import { createHash } from 'node:crypto'

/** Returns numbers from 0 to 1 that depend only on the seed and the name of a scenario. */
export type Random = () => number

export function createRandom(seed: number, name: string): Random {
  let count = 0
  return () => {
    count += 1
    return createHash('sha256').update(`${seed} ${name} ${count}`).digest().readUInt32BE() / 2 ** 32
  }
}
