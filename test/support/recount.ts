import { expect } from 'vitest'
import type { TestApp } from './app.ts'
import { recountCells } from './verification/recount.ts'

/** Expects an event’s statistics to equal a recount of its submissions; resolves to its cells. */
export async function expectRecounted({ database, judge }: TestApp, eventId: number) {
  const cells = await recountCells(database, eventId)
  expect(await judge.get(`/v1/events/${eventId}/attempts`)).toEqual(cells)
  for (const counts of await judge.get(`/v1/events/${eventId}/problems_stats`)) {
    const ofProblem = cells.filter(({ problem_id }) => problem_id === counts.problem_id)
    expect(counts).toMatchObject({
      accepted_count: ofProblem.filter(({ first_accepted_time }) => first_accepted_time !== undefined).length,
      attempted_count: ofProblem.length,
    })
  }
  return cells
}
