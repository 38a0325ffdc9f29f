import type { JudgeClient, Schemas } from '@judge-data-layer/client'
import type { ContestTimes, ServiceTime } from '../shared/contest-clock.ts'
import type { Resource } from '../shared/poll.ts'
import type { Session } from './session.ts'

export type ContestEvent = Schemas['PublicEvent']
export type ContestProblem = Schemas['EventProblem']
export type OwnSubmission = Schemas['ListedSubmission']
export type Question = Schemas['Question']
export type Language = Schemas['Language']

/** What the reader may do besides submitting. */
export interface Rights {
  readonly takesPart: boolean
  readonly isStaff: boolean
  readonly mayAsk: boolean
}

/** What the views of a contest get. */
export interface ViewProps {
  readonly client: JudgeClient
  readonly eventId: number
  readonly session: Session
  readonly data: ContestData
  readonly rights: Rights | undefined
}

/** The clock of the contest, and its relation to the local one. */
export interface OwnClock {
  readonly times: ContestTimes & { readonly own_end_time: string }
  readonly serviceTime: ServiceTime
}

/** Everything that the page shows of a contest, kept up to date. */
export interface ContestData {
  readonly event: Resource<ContestEvent>
  readonly clock: Resource<OwnClock>
  readonly problems: Resource<readonly ContestProblem[]>
  readonly languages: Resource<readonly Language[]>
  readonly submissions: Resource<readonly OwnSubmission[]>
  readonly questions: Resource<readonly Question[]>
  readonly standings: Resource<Schemas['Standings']>
}
