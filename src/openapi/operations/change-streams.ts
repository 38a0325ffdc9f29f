import type { SomeOperations } from '../operation-docs.ts'

const COMMON = `The response is \`text/event-stream\`. Each event has a name and, as its data, one JSON
object. An \`id\` is a position: send the last one as \`Last-Event-ID\` to go on without a gap. An event
may come twice. A comment comes at least every 15 seconds.`

const ENDS = `A stream ends within 5 seconds after the token, the account or the access with which it was
opened has changed, at once when the instance stops, and if the client does not read. Then connect
again. One account may have 5 streams and feeds open, one address 200.`

export const changeStreamOperations = {
  streamEventChanges: {
    summary: 'Stream what has changed in an event',
    description: `Tells what to request again. ${COMMON}

| event | data | meaning |
| --- | --- | --- |
| \`ready\` | \`tags\`, \`clock\` | The first event, with all present tags and the clock |
| \`submission\` | \`submission_id\`, \`status\`, \`event_id\` | The caller's own submission was stored, or has another status |
| \`question\` | \`event_id\`, \`question_id\` | A question was asked or answered that the caller sees |
| \`announcement\` | \`event_id\`, \`question_id\` | An announcement of staff |
| \`notification\` | \`event_id\`, \`question_id\` | The caller has a new notification |
| \`tags\` | \`standings\`, \`standings_by_team\`, \`attempts\`, \`problems_stats\`, \`problems\` | Other entity tags of these routes: those that changed, at most every two seconds |
| \`clock\` | as \`GET /v1/events/{event_id}/clock\` | The clock has changed, also by time alone |
| \`reset\` | none | Read everything again |

\`tags\` are the \`ETag\` of these routes without a query (\`standings_by_team\`: with \`by=team\`) for this
caller. The rules of the lists apply: results since a freeze change no tag of those who may not see
them. Without a token a stream has only \`ready\`, \`tags\` of the standings, \`clock\` and \`reset\`, and
only for contests whose \`scoreboard\` is \`public\`.

${ENDS}`,
  },
  streamUserChanges: {
    summary: 'Stream what has changed for the caller',
    description: `Tells what to request again, in all events and outside of them. ${COMMON}

| event | data | meaning |
| --- | --- | --- |
| \`ready\` | none | The first event |
| \`submission\` | \`submission_id\`, \`status\`, \`event_id\` if it has one | The caller's own submission was stored, or has another status |
| \`notification\` | \`event_id\`, \`question_id\` | The caller has a new notification; without data: has read them |
| \`reset\` | none | Read everything again |

${ENDS}`,
  },
} satisfies SomeOperations
