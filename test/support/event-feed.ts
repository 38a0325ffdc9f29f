import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { expect } from 'vitest'
import { objectSchemas } from '../../src/features/live/contest-api/schemas.ts'
import type { Caller } from './caller.ts'
import { expectRulesKept } from './contest-api-rules.ts'
import * as feeds from './verification/event-feed.ts'

/** A feed client that goes on from its last token; every other refusal fails the test. */
export class FeedReader extends feeds.FeedReader {
  /** So many lines were found to be as their schemas say. */
  checkedLines = 0

  /** The first connection goes to the first port, the next one to the next. */
  constructor(ports: readonly number[], eventId: number, token: string | undefined) {
    super({ ports, eventId, token, onRefusal: (status) => expect(status).toBe(200) })
  }
}

/** The parts of a feed's lines that are not as the schemas of their types say. */
function findInvalid(lines: readonly feeds.FeedLine[]): unknown[] {
  return lines.flatMap(({ type, id, data }) => {
    const schema: TSchema | undefined = Object(objectSchemas)[type]
    const isWhole = id === null && !['contest', 'state'].includes(type)
    const objects = Array.isArray(data) && isWhole ? data : [data]
    return objects.filter((object) => schema === undefined || !Check(schema, object))
  })
}

/** Reads the state of all endpoints that `access` names. */
const readObjects = (caller: Caller, eventId: number): Promise<feeds.ContestObjects> =>
  feeds.readObjects((path) => caller.get(path, 200), eventId)

/** Waits until the feed has the state of the endpoints, which keeps the rules between objects. */
export async function expectSameState(feed: FeedReader, caller: Caller, eventId: number): Promise<void> {
  const findDifferences = async () => feeds.differingTypes(await readObjects(caller, eventId), feed.objects)
  // Each look reads all endpoints.
  await expect.poll(findDifferences, { interval: 100 }).toEqual([])
  expect(findInvalid(feed.lines.slice(feed.checkedLines))).toEqual([])
  feed.checkedLines = feed.lines.length
  const lists = [...feed.objects].map(([type, ofType]) => [type, ofType.values()] as const)
  await expectRulesKept(caller, eventId, lists)
}
