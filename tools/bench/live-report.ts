import { writeTable } from '../local-servers/report.ts'
import type { ContestStep } from './contest.ts'
import type { LiveResult } from './live.ts'
import type { FeedsResult } from './live-feeds.ts'
import type { LogCost } from './live-log.ts'
import type { StreamsResult } from './live-streams.ts'
import { round } from './measure.ts'

/** The targets of the live test. */
export const LIVE_TARGETS = { p99DelayMs: 500, kibPerStream: 60, logRatio: 0.95 } as const

/** The tables of streams, of the change log and of feeds. */
export function writeLiveTables({ streams, log, feeds }: LiveResult): string {
  return [writeStreamsTable(streams), writeLogTable(log), writeFeedsTable(feeds)].join('\n')
}

const yesOrNo = (isMet: boolean) => (isMet ? 'yes' : 'no')

/** The table of the streams. */
export function writeStreamsTable(result: StreamsResult): string {
  const { delayMs, kibPerStream, verdictMs, shares, quietShares } = result
  const { p99DelayMs, kibPerStream: mostKib } = LIVE_TARGETS
  const memory = (kib: number) => [`${round(kib)} KiB`, `below ${mostKib} KiB`, yesOrNo(kib < mostKib)]
  return writeTable(
    [`${result.streams.toLocaleString('en-US')} streams, ${result.verdicts} verdicts`, '', 'target', 'met'],
    [
      ['verdict to event, p50', `${round(delayMs.p50)} ms`, undefined, undefined],
      [
        ...['verdict to event, p99', `${round(delayMs.p99)} ms`, `below ${p99DelayMs} ms`],
        yesOrNo(delayMs.p99 < p99DelayMs),
      ],
      ['verdict to event, longest', `${round(delayMs.most)} ms`, undefined, undefined],
      ['verdicts without an event', result.missing, '0', yesOrNo(result.missing === 0)],
      ['streams that ended', result.ended, '0', yesOrNo(result.ended === 0)],
      ['memory per stream, after opening', ...memory(kibPerStream.opened)],
      ['memory per stream, after the verdicts', ...memory(kibPerStream.loaded)],
      ['time until all were open', `${round(result.openedSeconds)} s`, undefined, undefined],
      ['503 responses until then, repeated after 0.25 s', result.refused, undefined, undefined],
      ['storing a verdict, p50', `${round(verdictMs.p50)} ms`, undefined, undefined],
      ['storing a verdict, p99', `${round(verdictMs.p99)} ms`, undefined, undefined],
      ['cores of the service, with verdicts', round(shares.service), undefined, undefined],
      ['cores of PostgreSQL, with verdicts', round(shares.PostgreSQL), undefined, undefined],
      ['cores of the service, without', round(quietShares.service), undefined, undefined],
      ['cores of PostgreSQL, without', round(quietShares.PostgreSQL), undefined, undefined],
      ['cores of the generator', round(result.generatorShare), undefined, undefined],
      ['service late by', `${round(result.serviceLagMs)} ms`, undefined, undefined],
    ],
  )
}

/** The table of the change log's cost. */
export function writeLogTable(costs: readonly LogCost[]): string {
  const { logRatio } = LIVE_TARGETS
  const head = [
    'route',
    'with the log/s',
    'without/s',
    'ratio',
    'CPU µs with',
    'without',
    'by CPU',
    'target',
    'met',
  ]
  return writeTable(
    head,
    costs.map((cost) => [
      ...[cost.route, round(cost.loggedPerSecond), round(cost.unloggedPerSecond), round(cost.ratio)],
      ...[round(cost.loggedCpuUs), round(cost.unloggedCpuUs), round(cost.ratioByCpu)],
      ...[logRatio.toFixed(2), yesOrNo(cost.ratio >= logRatio)],
    ]),
  )
}

function writeFeedsTable(result: FeedsResult): string {
  const { first, feeds, without, with: during } = result
  const row = (name: string, step: ContestStep) => [
    ...[name, step.people, round(step.requestsPerSecond), round(step.p50Ms), round(step.p99Ms)],
    ...[round(step.p99MsOf.submit), round(step.p99MsOf.poll), round(step.p99MsOf.standings)],
    Object.values(step.failures).reduce((sum, count) => sum + count, 0),
    ...[step.judged, round(step.shares.service), round(step.shares.PostgreSQL)],
  ]
  const head = [
    'feeds',
    'people',
    'requests/s',
    'p50 ms',
    'p99 ms',
    'p99 submit',
    'p99 poll',
    'p99 standings',
  ]
  const more = ['failures', 'verdicts', 'service', 'PostgreSQL']
  const table = writeTable([...head, ...more], [row('none', without), row(String(feeds + 1), during)])
  const state = `${first.lines.toLocaleString('en-US')} lines, ${round(first.mebibytes)} MiB`
  const cost = `${round(first.seconds)} s, ${round(first.cpuSeconds)} s of the service’s CPU time`
  const sent = `${result.lines.toLocaleString('en-US')} lines, ${round(result.mebibytes)} MiB`
  return `First state of an admin’s feed: ${state}, in ${cost}. Sent on the feeds meanwhile: ${sent}; ${result.ended} times a feed ended and was opened again.\n\n${table}`
}
