import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { READ_PACKAGE } from '../../src/features/problems/problem-packages/calls.ts'
import { answerCall, serveCalls } from '../../src/package-process/serve-calls.ts'

// A process that reads packages and behaves as the first word of its upload says. Bounded readers
// never reach the limits of their process, so no package would test them.

const recurse = (): number => recurse() + 1

const behaviours: Readonly<Record<string, (text: string) => unknown>> = {
  spins: () => {
    for (;;);
  },
  fillsHeap: () => {
    const lists: object[] = []
    for (;;) lists.push(Array.from({ length: 1000 }, () => ({})))
  },
  fillsBuffers: () => {
    const buffers: Buffer[] = []
    for (;;) buffers.push(Buffer.alloc(16 * 1024 * 1024, 1))
  },
  recurses: () => recurse(),
  aborts: () => process.abort(),
  exits: () => process.exit(3),
  isKilled: () => process.kill(process.pid, 'SIGKILL'),
  fails: () => {
    throw new TypeError('the reader has a fault')
  },
  waitsFor: async (file) => {
    while (!existsSync(file)) await setTimeout(10)
    throw new RangeError('the end')
  },
}

serveCalls(
  ({ readPart, note }) => [
    answerCall(READ_PACKAGE, async () => {
      const [name = '', text = ''] = String(await readPart('', 0)).split(' ')
      note('data/secret/1.yaml')
      await behaviours[name]?.(text)
      // The others end the process, perhaps a little later.
      return new Promise<never>(() => {})
    }),
  ],
  Number(process.argv[2]),
)
