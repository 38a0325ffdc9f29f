import type { contestApiWriteRoutes } from '../../features/live/contest-api/write-routes.ts'
import { cup, league, problem, team, wrong } from '../examples/example-contest-api.ts'
import { askedQuestion } from '../examples/example-questions.ts'
import type { Operations } from '../operation-docs.ts'

const params = { event_id: Number(league.id) }

/** `Main.py` with `print(42)`. */
const ZIP =
  'UEsDBBQAAAAAAAAAIVx6iYxCCgAAAAoAAAAHAAAATWFpbi5weXByaW50KDQyKQpQSwECFAMUAAAAAAAAACFceomMQgoAAAAKAAAABwAAAAAAAAAAAAAAgAEAAAAATWFpbi5weVBLBQYAAAAAAQABADUAAAAvAAAAAAA='

export const contestApiWriteOperations: Operations<ReturnType<typeof contestApiWriteRoutes>[number]> = {
  changeContest: {
    summary: 'Move the start of a contest, or thaw it, over the Contest API',
    description: `For staff: the capabilities \`contest_start\` and \`contest_thaw\`. Others get 403. \`id\` must be
the one in the path (409). The body has either \`start_time\` or \`scoreboard_thaw_time\` (400).

The end and the freeze move along with the start: the duration stays. 403: the contest has started
or starts within 30 seconds, or the new start is in the past or within 30 seconds. The service
cannot store a contest without a start: null and \`countdown_pause_time\` get 403.

A thaw happens at once, like \`POST /v1/events/{event_id}/thaw\`, if \`scoreboard_thaw_time\` is not in
the future. 403: it is in the future, the contest has not ended for its last participant, or its
standings are not frozen.`,
    example: {
      params: { event_id: Number(cup.id) },
      body: { id: cup.id, scoreboard_thaw_time: '2026-02-01T22:30:00+01:00' },
      response: { ...cup, scoreboard_thaw_time: '2026-04-01T18:30:00.000Z' },
    },
  },
  createContestSubmission: {
    summary: 'Submit a program to a contest over the Contest API',
    description: `For everybody who may submit with \`POST /v1/submissions\`: the capability \`team_submit\`.
The rules and the rate limit are the same, and both routes count together. The zip has exactly one
file, the program, in UTF-8 (400). Its name does not matter, and \`entry_point\` and \`reaction\` are
ignored. \`team_id\` and \`account_id\` must be the caller's own (403). \`Location\` is the path of the
new submission.`,
    example: {
      params,
      body: {
        problem_id: problem.id,
        language_id: wrong.language_id,
        files: [{ data: ZIP, mime: 'application/zip' }],
      },
      response: { ...wrong, time: '2026-04-01T18:30:00.000Z', contest_time: '1953:30:00.000' },
    },
  },
  createClarification: {
    summary: 'Ask, answer or announce in a contest over the Contest API',
    description: `Users ask a question: the capability \`post_clar\`. \`from_team_id\` may be given and must be their own
team (403); recipients and times must be absent (400).

Staff answers and announces: the capability \`admin_clar\`. With \`reply_to_id\` the text answers this
question, and replaces its earlier answer. Without recipients the answer is for everybody. With the
team that asked as the only one of \`to_team_ids\` it is private, but only in contests with
\`clarifications\` \`staff\`: in others everybody sees all answers. Without \`reply_to_id\` the text is an
announcement to everybody; messages to some teams or groups are not supported (400). Staff that takes
part asks a question with \`from_team_id\`. \`time\` is not needed. It must be within an hour from now
(400), and the service stores the present time.

\`Location\` is the path of the new object.`,
    example: {
      params,
      body: { text: askedQuestion.question, problem_id: problem.id, from_team_id: team.id },
      response: {
        id: '019ba72f-17c0-7251-b6b3-6bb77e4064d5',
        from_team_id: team.id,
        problem_id: problem.id,
        text: askedQuestion.question,
        time: '2026-04-01T18:30:00.000Z',
        contest_time: '1953:30:00.000',
      },
    },
  },
}
