/** All pauses that a client has made in this file, in milliseconds. */
export const pauses: number[] = []

type Pauses = typeof import('../../src/pause.ts')

/** For `vi.mock` of `pause.ts`: each pause is noted, and then made. */
export async function notePauses(load: () => Promise<Pauses>): Promise<Pauses> {
  const original = await load()
  const pause: Pauses['pause'] = (ms, signal) => {
    pauses.push(ms)
    return original.pause(ms, signal)
  }
  return { ...original, pause }
}
