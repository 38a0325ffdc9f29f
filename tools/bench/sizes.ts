/** The service's default, so that the ceilings have as many connections. */
export const POOL_SIZE = 10

export interface EventSize {
  readonly id: number
  readonly people: number
  readonly firstUser: number
  readonly problems: number
  readonly firstProblem: number
  readonly submissions: number
}

export interface Size {
  readonly name: string
  readonly users: number
  readonly problems: number
  readonly submissions: number
  readonly events: readonly [EventSize, ...EventSize[]]
  /** The first users: their lists outside contests are equally long at every size. */
  readonly regulars: number
  readonly submissionsOfRegular: number
}

/** Problems up to this number belong to contests and are private. */
export const LAST_PRIVATE_PROBLEM = 22

export const CASES_PER_PROBLEM = 20

export const sizeS: Size = {
  ...{ name: 'S', users: 1_000, problems: 200, submissions: 100_000 },
  ...{ regulars: 500, submissionsOfRegular: 50 },
  events: [{ id: 1, people: 500, firstUser: 1, problems: 10, firstProblem: 1, submissions: 15_000 }],
}

export const sizeL: Size = { ...sizeS, name: 'L', users: 100_000, problems: 5_000, submissions: 1_000_000 }

/** S with more users, for a contest, streams and feeds. */
export const sizeOfContestTest: Size = { ...sizeS, name: 'contest', users: 40_000 }

/** Adds a contest to a size. Each of its people has submitted 30 times. */
export function withContest(size: Size, people: number): { readonly size: Size; readonly event: EventSize } {
  const numbers = { people, firstUser: 1, problems: 10, firstProblem: 1, submissions: people * 30 }
  const event = { id: size.events.length + 1, ...numbers }
  const submissions = size.submissions + event.submissions
  return { size: { ...size, submissions, events: [...size.events, event] }, event }
}

/** The number of submissions outside contests, which come first. */
export function submissionsOutside(size: Size): number {
  return size.submissions - size.events.reduce((sum, event) => sum + event.submissions, 0)
}

/** The number of a contest's first submission. */
export function firstSubmissionOf(size: Size, wanted: EventSize): number {
  const before = size.events.filter(({ id }) => id < wanted.id)
  return submissionsOutside(size) + before.reduce((sum, { submissions }) => sum + submissions, 0) + 1
}
