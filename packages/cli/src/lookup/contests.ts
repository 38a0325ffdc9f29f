import type { JudgeClient, Schemas } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { readPages } from './find-problem.ts'

/** Reads a contest that the user may see. */
export const readEvent = (client: JudgeClient, event_id: number): Promise<Schemas['PublicEvent']> =>
  orThrow(client.GET('/v1/public/events/{event_id}', { params: { path: { event_id } } }))

/** Reads the clock of a contest. */
export const readClock = (client: JudgeClient, event_id: number): Promise<Schemas['EventClock']> =>
  orThrow(client.GET('/v1/events/{event_id}/clock', { params: { path: { event_id } } }))

/** Reads the problems of a contest in their order. */
export const listEventProblems = (client: JudgeClient, event_id: number) =>
  readPages((query) =>
    client.GET('/v1/events/{event_id}/problems', { params: { path: { event_id }, query } }),
  )

/** Reads the participants; staff sees their extra time, and hidden ones. */
export const listParticipants = (client: JudgeClient, event_id: number): Promise<Schemas['Participant'][]> =>
  readPages((query) =>
    client.GET('/v1/public/events/{event_id}/participants', { params: { path: { event_id }, query } }),
  )

/** Reads the teams of a contest. */
export const listTeams = (client: JudgeClient, event_id: number) =>
  readPages((query) => client.GET('/v1/events/{event_id}/teams', { params: { path: { event_id }, query } }))

/** Reads the questions and the announcements, the newest first. */
export const listQuestions = (client: JudgeClient, event_id: number): Promise<Schemas['Question'][]> =>
  readPages((query) =>
    client.GET('/v1/events/{event_id}/questions', { params: { path: { event_id }, query } }),
  )
