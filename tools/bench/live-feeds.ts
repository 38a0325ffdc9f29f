import { readResidentMebibytes, readTreeCpuMs } from '../local-servers/process-tree.ts'
import { type ContestStep, runStep, startJudging } from './contest.ts'
import { startHolder } from './live-holder.ts'
import { type Held, nowMs } from './live-process.ts'
import type { EventSize } from './sizes.ts'
import type { Stage } from './stage.ts'

/** After the state of the contest the feed is silent. */
const SILENT_MS = 2000

/** A feed's first state, and the contest without and with ten feeds. */
export interface FeedsResult {
  readonly first: {
    readonly seconds: number
    readonly lines: number
    readonly mebibytes: number
    /** CPU time of the service. */
    readonly cpuSeconds: number
    readonly grownMebibytes: number
  }
  readonly without: ContestStep
  readonly with: ContestStep
  /** Of all feeds while the contest was measured. */
  readonly feeds: number
  readonly lines: number
  readonly mebibytes: number
  readonly ended: number
}

type Holder = ReturnType<typeof startHolder>

/** Measures the contest of `event` without feeds, and then with ten of them. */
export async function runFeeds(stage: Stage, event: EventSize): Promise<FeedsResult> {
  const { worker, judging } = await startJudging(stage)
  const holder = startHolder()
  const step = { stage, event, standings: 'standings', worker, judging } as const
  try {
    const without = await runStep(step)
    const first = await readFirstState(stage, event, holder)
    const held = await feedsOf(stage, event)
    await holder.call({ kind: 'open', port: stage.service.port, held, atOnce: held.length })
    await holder.call({ kind: 'untilSilent', silentMs: SILENT_MS })
    await holder.call({ kind: 'report' })
    const during = await runStep(step)
    const report = await holder.call({ kind: 'report' })
    if (report === undefined) throw new Error('the holder sent no report')
    const { lines, bytes, ended } = report
    return { first, without, with: during, feeds: held.length, lines, mebibytes: bytes / 2 ** 20, ended }
  } finally {
    await holder.end()
    await worker.end()
  }
}

const pathOf = ({ id }: EventSize) => `/v1/clics/contests/${id}/event-feed`

/** An admin reads the state of the whole contest. */
async function readFirstState({ service, world }: Stage, event: EventSize, holder: Holder) {
  const before = { cpuMs: readTreeCpuMs(service.pid), resident: readResidentMebibytes(service.pid) }
  const startedMs = nowMs()
  const held = [
    {
      ...{ path: pathOf(event), token: await world.tokenOf(world.size.users) },
      ...({ localAddress: '127.0.2.1', isReopened: true } as const),
    },
  ]
  await holder.call({ kind: 'open', port: service.port, held, atOnce: 1 })
  await holder.call({ kind: 'untilSilent', silentMs: SILENT_MS })
  const seconds = (nowMs() - startedMs - SILENT_MS) / 1000
  const report = await holder.call({ kind: 'report' })
  if (report === undefined) throw new Error('the holder sent no report')
  const first = {
    ...{ seconds, lines: report.lines, mebibytes: report.bytes / 2 ** 20 },
    cpuSeconds: (readTreeCpuMs(service.pid) - before.cpuMs) / 1000,
    grownMebibytes: readResidentMebibytes(service.pid) - before.resident,
  }
  console.log(`first state of a feed: ${JSON.stringify(first)}`)
  return first
}

/** Two of staff, five of participants, two without a token; with the admin's, ten are open. */
async function feedsOf({ world }: Stage, event: EventSize): Promise<Held[]> {
  const staff = await world.tokenOf(world.size.users - 1)
  const participants = await Promise.all([1, 2, 3, 4, 5].map((n) => world.tokenOf(event.firstUser + n)))
  const readers = [staff, staff, ...participants, undefined, undefined]
  return readers.map((reader) => ({
    path: pathOf(event),
    ...(reader !== undefined && { token: reader }),
    localAddress: '127.0.2.1',
    isReopened: true,
  }))
}
