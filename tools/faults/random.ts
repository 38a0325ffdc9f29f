import { createHash } from 'node:crypto'

/** Numbers from 0 up to 1 that depend on the seed and the name alone. */
export type Random = () => number

/** Makes the random numbers of one scenario: the same whichever others run. */
export function createRandom(seed: number, name: string): Random {
  let count = 0
  return () => {
    count += 1
    return createHash('sha256').update(`${seed} ${name} ${count}`).digest().readUInt32BE() / 2 ** 32
  }
}
