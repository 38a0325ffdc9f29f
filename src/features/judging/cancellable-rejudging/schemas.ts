import Type from 'typebox'
import { Instant, IntegerId, Nullable, ResponseObject, Uuid, Written } from '../../../http/routing/schema.ts'
import { PageQuery } from '../../../lists/page.ts'
import { verdictStatuses } from '../submissions/rules.ts'

/** A response names so many pending judgings. */
export const MOST_PENDING = 100

export const DecisionsQuery = Type.Object({
  ...PageQuery.properties,
  event_id: Type.Optional(
    IntegerId({ description: 'Only rejudgings of this contest. Required for users other than admins.' }),
  ),
})

/** Body of `POST /v1/rejudgings`: at least one filter; a submission must match all of them. */
export const decisionCreation = (extraStatuses: readonly string[]) =>
  Type.Object(
    {
      event_id: Nullable(
        IntegerId({ description: 'Only submissions of this contest. Required for users other than admins.' }),
      ),
      problem_id: Nullable(IntegerId()),
      language_id: Nullable(Uuid()),
      status: Nullable(
        Type.Enum(verdictStatuses(extraStatuses), {
          description: 'The status of the present verdict, or its reason.',
        }),
      ),
      user_id: Nullable(Uuid()),
      submission_ids: Nullable(Type.Array(Uuid(), { minItems: 1, maxItems: 1000 })),
      reason: Nullable(Written({ maxLength: 1000, description: 'For the history.' })),
    },
    { title: 'RejudgingDecisionBody' },
  )

export const DecisionCreatedResponse = ResponseObject({ id: Uuid() }, { title: 'CreatedRejudgingDecision' })

const count = (description: string) => Type.Integer({ minimum: 0, description })

const identity = {
  id: Uuid(),
  state: Type.Enum(['OPEN', 'APPLIED', 'CANCELLED']),
  reason: Type.Optional(Type.String()),
  requested_by: Uuid(),
  requested_at: Instant(),
  decided_by: Type.Optional(Uuid({ description: 'Who applied or cancelled it.' })),
  decided_at: Type.Optional(Instant()),
  event_id: Type.Optional(IntegerId()),
  problem_id: Type.Optional(IntegerId()),
  language_id: Type.Optional(Uuid()),
  status: Type.Optional(Type.String({ description: 'The filter of the request, like the other ids.' })),
  user_id: Type.Optional(Uuid()),
  total: count('Submissions that are judged again.'),
  waiting: count('Matching submissions that are left out because they were `PENDING`.'),
  deleted: count('Matching submissions that are left out because their problem was deleted.'),
  applied: Type.Optional(count('Once applied: submissions that have the new verdict.')),
  unchanged: Type.Optional(count('Submissions whose new verdict has the same status, or reason, and score.')),
  left_out: Type.Optional(count('Submissions that keep their verdict: see `left_out_submissions`.')),
}

/** A rejudging in lists. */
export const DecisionListedResponse = ResponseObject(
  {
    ...identity,
    judged: Type.Optional(count('While open: submissions whose new judging has ended.')),
    pending: Type.Optional(count('While open: submissions whose new judging has not ended.')),
  },
  { title: 'ListedRejudgingDecision' },
)

const points = () => Type.Optional(Type.Number({ minimum: 0 }))

const reason = () => Type.Optional(Type.String({ description: 'The finer status, if there is one.' }))

const shadowId = () => Uuid({ description: 'The judge routes take it like the id of a submission.' })

const rank = (description: string) => Type.Integer({ minimum: 1, description })

export const DecisionResponse = ResponseObject(
  {
    ...identity,
    submission_ids: Type.Optional(Type.Array(Uuid())),
    judged: count('Submissions whose new judging has ended.'),
    pending: count('Submissions whose new judging has not ended.'),
    changed: Type.Optional(count('While open: submissions whose verdict would change.')),
    changes: Type.Array(
      ResponseObject(
        {
          submission_id: Uuid(),
          user_id: Uuid(),
          problem_id: IntegerId(),
          event_id: Type.Optional(IntegerId()),
          shadow_judging_id: shadowId(),
          from_status: Type.String(),
          from_reason: reason(),
          from_score: points(),
          to_status: Type.String(),
          to_reason: reason(),
          to_score: points(),
        },
        { title: 'RejudgingChange' },
      ),
      { description: 'The verdicts that would change; once applied, those that have changed.' },
    ),
    left_out_submissions: Type.Array(
      ResponseObject(
        {
          submission_id: Uuid(),
          why: Type.Enum(['JUDGED_AGAIN', 'INTERNAL_ERROR', 'JUDGING_DELETED'], {
            description:
              '`JUDGED_AGAIN`: it has got another verdict since the request, or waits for one. `INTERNAL_ERROR`: the judge failed. `JUDGING_DELETED`: an admin deleted the shadow judging.',
          }),
        },
        { title: 'RejudgingLeftOut' },
      ),
      { description: 'Submissions that keep their verdict.' },
    ),
    rank_changes: Type.Optional(
      Type.Array(
        ResponseObject(
          {
            event_id: IntegerId(),
            user_id: Type.Optional(Uuid({ description: 'For a rank among users.' })),
            team_id: Type.Optional(Uuid({ description: 'For a rank among teams, in a contest with teams.' })),
            from_rank: rank('The rank with the earlier verdicts, without the freeze of the standings.'),
            to_rank: rank('The rank with the new verdicts.'),
          },
          { title: 'RejudgingRankChange' },
        ),
        {
          description:
            'The users, and in contests with teams also the teams, whose rank would change; once applied, those whose rank has changed by it. Absent if it was cancelled.',
        },
      ),
    ),
    pending_judgings: Type.Optional(
      Type.Array(
        ResponseObject(
          { submission_id: Uuid(), shadow_judging_id: shadowId() },
          { title: 'RejudgingPending' },
        ),
        {
          description: `While open: at most ${MOST_PENDING} of the judgings that have not ended. Those that were sent to a judge come first.`,
        },
      ),
    ),
  },
  { title: 'RejudgingDecision' },
)
