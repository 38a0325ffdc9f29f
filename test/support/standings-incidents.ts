import fc from 'fast-check'

/** The contest has two hours. Minutes are multiples of the penalty, so that penalties collide. */
export const MINUTES = { end: 120, extra: 30 } as const
const BEFORE_FREEZE = [0, 20, 40]
const SINCE_FREEZE = [80, 100]
const IN_EXTRA_TIME = [120, 140]

export const PEOPLE = 4
/** The first people are in teams; the last one is alone. */
const IN_TEAMS = 3
/** People who do not take part at first. */
export const GUESTS = 2
export const TASKS = 3

const person = fc.nat(PEOPLE - 1)
const task = fc.nat(TASKS - 1)
const judged = ['ACCEPTED', 'ACCEPTED', 'ACCEPTED', 'WRONG_ANSWER', 'COMPILE_TIME_ERROR', 'INTERNAL_ERROR']
/** `partial` is the score of a wrong answer. */
const verdictOf = (...statuses: string[]) =>
  fc.record({ status: fc.constantFrom(...statuses), partial: fc.constantFrom(0, 12.5, 33.33) })
const verdict = verdictOf(...judged)

const submission = (...minutes: number[]) =>
  fc.record({
    kind: fc.constant('submit'),
    ...{ person, task, minute: fc.constantFrom(...minutes), verdict: verdictOf(...judged, 'PENDING') },
  })
const anySubmission = submission(...BEFORE_FREEZE, 60, ...SINCE_FREEZE, ...IN_EXTRA_TIME)
const judging = fc.record({ kind: fc.constant('judge'), nth: fc.nat(20), verdict })
const rejudging = fc.record({
  kind: fc.constant('rejudge'),
  ...{ task, verdicts: fc.array(verdict, { minLength: 1, maxLength: 4 }) },
})
const freeze = fc.record({ kind: fc.constant('freeze'), minute: fc.constantFrom(undefined, 40, 60, 80, 100) })
/** After the longest end the contest is open again. */
const end = fc.record({ kind: fc.constant('end'), minute: fc.constantFrom(100, 240, 240) })
const rules = fc.record({
  kind: fc.constant('rules'),
  ...{ penalty: fc.constantFrom(0, 20), scoring: fc.constantFrom('icpc', 'points') },
})
const participant = fc.record({
  kind: fc.constant('participant'),
  ...{ person, extra: fc.constantFrom(null, MINUTES.extra), hidden: fc.boolean() },
})
const removal = fc.record({ kind: fc.constantFrom('remove', 'add'), person })
/** Names that change the order of equal ranks. */
const renaming = fc.record({
  kind: fc.constant('rename'),
  person,
  name: fc.constantFrom('anna', 'Zoë', '10'),
})
/** Somebody who only looks back, unless the contest goes on. */
const registration = fc.record({ kind: fc.constant('register'), guest: fc.nat(GUESTS - 1) })
const withoutProblem = fc.record({ kind: fc.constantFrom('drop problem', 'hide problem'), task })
const withProblem = fc.record({ kind: fc.constantFrom('add problem', 'show problem'), task })
const deletion = fc.record({ kind: fc.constant('delete problem'), task })
const reveal = fc.record({ kind: fc.constant('thaw'), query: fc.constant('?next=true') })
const thaw = fc.record({ kind: fc.constant('thaw'), query: fc.constantFrom('', '?undo=true') })

const incident = fc.oneof(
  { weight: 6, arbitrary: anySubmission },
  { weight: 3, arbitrary: judging },
  { weight: 2, arbitrary: rejudging },
  { weight: 1, arbitrary: freeze },
  { weight: 1, arbitrary: end },
  { weight: 1, arbitrary: rules },
  { weight: 2, arbitrary: participant },
  { weight: 2, arbitrary: removal },
  { weight: 2, arbitrary: renaming },
  { weight: 1, arbitrary: registration },
  { weight: 1, arbitrary: withoutProblem },
  { weight: 3, arbitrary: withProblem },
  { weight: 3, arbitrary: reveal },
  { weight: 1, arbitrary: thaw },
)
/** A change that concerns many cells. */
const largeIncident = fc.oneof(
  { weight: 3, arbitrary: withoutProblem },
  { weight: 2, arbitrary: deletion },
  { weight: 3, arbitrary: rejudging },
  { weight: 2, arbitrary: end },
)
export type Incident = typeof incident | typeof largeIncident extends fc.Arbitrary<infer One> ? One : never

/** Incidents between two comparisons of the standings. */
const round = fc
  .tuple(largeIncident, fc.array(incident, { maxLength: 5 }))
  .map(([large, others]): Incident[] => [large, ...others])
export const rounds = fc.array(round, { minLength: 1, maxLength: 3 })

/** Steps of a thaw. */
export const ceremony = fc.array(reveal, { minLength: 2, maxLength: 4 })

const accepted = { status: 'ACCEPTED', partial: 0 } as const
const solution = (person: number, task: number, minute: number): Incident => ({
  kind: 'submit',
  ...{ person, task, minute, verdict: accepted },
})
const shuffled = (length: number) =>
  fc.shuffledSubarray([...Array(length).keys()], { minLength: length, maxLength: length })

/**
 * The begin of every run. A person has extra time and uses it. Before the freeze, two people differ
 * only in the time of their last solution. One task is solved only since the freeze.
 */
export const opening = fc
  .record({
    late: fc.nat(IN_TEAMS - 1),
    people: shuffled(PEOPLE),
    tasks: shuffled(TASKS),
    scoring: fc.constantFrom('icpc', 'points'),
    freeze: fc.constantFrom(60, 80),
    before: fc.array(fc.record({ ofFirst: fc.boolean(), submission: submission(...BEFORE_FREEZE) }), {
      minLength: 2,
      maxLength: 5,
    }),
    since: fc.array(submission(...SINCE_FREEZE), { minLength: 1, maxLength: 3 }),
    extra: fc.array(submission(...IN_EXTRA_TIME), { minLength: 1, maxLength: 2 }),
  })
  .map(({ late, people, tasks, scoring, freeze, before, since, extra }): Incident[] => {
    const [early = 0, steady = 0, ...others] = people
    const [first = 0, second = 0, unsolved = 0] = tasks
    return [
      { kind: 'participant', person: late, extra: MINUTES.extra, hidden: false },
      { kind: 'rules', penalty: 20, scoring },
      { kind: 'freeze', minute: freeze },
      ...[solution(early, first, 20), solution(early, second, 20)],
      ...[solution(steady, first, 0), solution(steady, second, 40)],
      ...before.map(({ ofFirst, submission }) => ({
        ...submission,
        person: others[submission.person % others.length] ?? 0,
        task: ofFirst ? first : second,
      })),
      solution(late, unsolved, 80),
      ...since,
      ...extra.map((one) => ({ ...one, person: late })),
    ]
  })
