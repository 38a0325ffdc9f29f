import type { pageRoutes } from '../../features/service/pages/routes.ts'
import { practiceLeague } from '../examples/example-world-contest.ts'
import type { Operations } from '../operation-docs.ts'

const { id: event_id } = practiceLeague

export const pageOperations: Operations<ReturnType<typeof pageRoutes>[number]> = {
  openScoreboardPage: {
    summary: 'The scoreboard of an event as a page for a projector',
    description: `Shows the standings while they change, the freeze, and the reveal of the thaw. The page
is the same for every event, also for one that does not exist. It needs \`scoreboard\` \`public\`, or a
scoreboard token in the fragment of its address: \`#token=…\`.`,
    example: { params: { event_id } },
  },
  openContestPage: {
    summary: 'An event as a page for those who take part',
    description: `Log in, read the problems, submit, ask. The page is the same for every event, also for
one that does not exist. It is an example for authors of front ends.`,
    example: { params: { event_id } },
  },
  readPageFile: {
    summary: 'Read a file of the pages',
    description: `Scripts, style sheets and fonts. Their names change with their contents, so that
browsers keep them. \`licences.txt\` has the licences of the libraries in them.`,
    example: { params: { file: 'licences.txt' } },
  },
}
