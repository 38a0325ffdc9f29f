import type { feedRoute } from '../../features/live/contest-api/feed-route.ts'
import { practiceLeague } from '../examples/example-world-contest.ts'
import type { Operations } from '../operation-docs.ts'

export const eventFeedOperations: Operations<ReturnType<typeof feedRoute>> = {
  readEventFeed: {
    summary: 'Stream a contest over the Contest API: its objects, and then their changes',
    description: `Each line is one notification in JSON: \`type\`, \`id\`, \`data\` and mostly a \`token\`. With an
\`id\` it is an object as its route returns it. Without one it is a whole collection, or the \`contest\`
or \`state\`. First come all objects that the caller sees, then those that have changed. Once a line
was sent, the routes return this state or a later one, on all instances.

After a lost connection send the last token as \`since_token\`: the feed then begins with the changes
since. A line may come twice. Tokens are valid for a day (\`CHANGE_RETENTION_HOURS\`), and end with a
restart of PostgreSQL. An older or foreign one gets 400, and one from when the caller saw other types
of objects: read the feed without it.

When objects may have disappeared, for instance because staff has removed somebody, whole
collections follow. Submissions, judgements and runs then come as an empty collection, and one by
one. During the freeze the feed has no judgements of others; they follow after the
thaw, or step by step. Awards follow the judgements within seconds.

An empty line comes at least every 15 seconds. A feed ends within 5 seconds after the credentials or
the access with which it was opened have changed, and at once when the instance stops. One account
may have 5 streams and feeds open on each instance, one address 200.`,
    example: { params: { event_id: practiceLeague.id } },
  },
}
