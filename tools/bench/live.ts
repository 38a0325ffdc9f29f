import { ask } from '../local-servers/database.ts'
import { addEvent } from './fill.ts'
import { type FeedsResult, runFeeds } from './live-feeds.ts'
import { type LogCost, runLogCost } from './live-log.ts'
import { runStreams, type StreamsResult } from './live-streams.ts'
import type { Options } from './options.ts'
import type { EventSize } from './sizes.ts'
import type { Stage } from './stage.ts'
import { userIdSql } from './values.ts'

/** The figures of streams, of the change log and of event feeds. */
export interface LiveResult {
  readonly streams: StreamsResult
  readonly log: readonly LogCost[]
  readonly feeds: FeedsResult
}

const USUAL = { people: 6000, streams: 5000, streamSeconds: 30, rounds: 10, sliceSeconds: 1 } as const
const QUICK = { people: 600, streams: 500, streamSeconds: 8, rounds: 2, sliceSeconds: 0.5 } as const

/** Measures streams and feeds of one contest, and the cost of the change log. */
export async function runLive(
  stage: Stage,
  { isQuick, people: [people] = [] }: Pick<Options, 'isQuick' | 'people'>,
): Promise<LiveResult> {
  const usual = isQuick ? QUICK : USUAL
  const numbers = { ...usual, ...(people !== undefined && { people }) }
  const event = await addContest(stage, numbers.people)
  const count = Math.min(numbers.streams, event.people)
  const streams = await runStreams(stage, event, count, numbers.streamSeconds)
  const log = await runLogCost(stage, numbers.rounds, numbers.sliceSeconds)
  const feeds = await runFeeds(stage, event)
  return { streams, log, feeds }
}

/** Adds a contest that everybody may watch. Everybody in it has submitted 30 times. */
async function addContest({ database, world: { size } }: Stage, people: number): Promise<EventSize> {
  const numbers = { people, firstUser: 1, problems: 10, firstProblem: 1, submissions: people * 30 }
  const event = { id: size.events.length + 1, ...numbers }
  const submissions = size.submissions + event.submissions
  await addEvent(database, { ...size, submissions, events: [...size.events, event] }, event)
  await ask(
    database,
    `update events
     set scoreboard = 'public', staff = array[${userIdSql(String(size.users - 1))}]
     where events.id = ${event.id}`,
  )
  await ask(database, 'vacuum analyze')
  return event
}
