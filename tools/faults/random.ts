import { createHash } from 'node:crypto'

/** Random numbers from 0 to 1, which the seed and the name decide. */
export function createRandom(seed: number, name: string): () => number {
  let count = 0
  return () => {
    count += 1
    return createHash('sha256').update(`${seed} ${name} ${count}`).digest().readUInt32BE() / 2 ** 32
  }
}
