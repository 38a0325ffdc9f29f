/** A contest of the filled database. Its people are consecutive users, its problems consecutive problems. */
export interface Contest {
  readonly id: number
  readonly people: number
  readonly firstUser: number
  readonly problems: number
  readonly firstProblem: number
  readonly submissions: number
}

/** How much there is of everything in a filled database. */
export interface Size {
  readonly name: string
  readonly users: number
  readonly problems: number
  /** Altogether, those in contests included. */
  readonly submissions: number
  readonly contests: readonly [Contest, ...Contest[]]
  /** Users from 1 on whose submissions outside contests are counted exactly, so that their lists are equally long at every size. */
  readonly regulars: number
  readonly submissionsOfRegular: number
}

/** Problems up to this one belong to contests and are private, all others are public. */
export const LAST_PRIVATE_PROBLEM = 22

/** How many of each the databases of every size have. */
export const CASES_PER_PROBLEM = 20
export const QUESTIONS_PER_CONTEST = 20
export const UNREAD_PER_PERSON = 5

const contest = {
  id: 1,
  people: 500,
  firstUser: 1,
  problems: 10,
  firstProblem: 1,
  submissions: 15_000,
} as const satisfies Contest

const largeContest = {
  id: 2,
  people: 5_000,
  firstUser: 501,
  problems: 12,
  firstProblem: 11,
  submissions: 150_000,
} as const satisfies Contest

/** The small database. */
export const sizeS: Size = {
  name: 'S',
  users: 1_000,
  problems: 200,
  submissions: 100_000,
  contests: [contest],
  regulars: 500,
  submissionsOfRegular: 50,
}

/** The large one, which has the contest of the small one too. */
export const sizeL: Size = {
  name: 'L',
  users: 100_000,
  problems: 5_000,
  submissions: 1_000_000,
  contests: [contest, largeContest],
  regulars: 500,
  submissionsOfRegular: 50,
}

/** As S, with people enough for the load test of a contest. */
export const sizeOfContestTest: Size = { ...sizeS, name: 'contest', users: 40_000 }

/** Submissions that belong to no contest; they have the numbers from 1 on. */
export function submissionsOutside(size: Size): number {
  return size.submissions - size.contests.reduce((sum, contest) => sum + contest.submissions, 0)
}

/** The number of the first submission of a contest: those of a contest follow those of the one before. */
export function firstSubmissionOf(size: Size, wanted: Contest): number {
  const before = size.contests.filter(({ id }) => id < wanted.id)
  return submissionsOutside(size) + before.reduce((sum, { submissions }) => sum + submissions, 0) + 1
}
