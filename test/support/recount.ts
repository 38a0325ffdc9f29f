import { expect } from 'vitest'
import { recountCells } from '../../verification/recount.ts'
import type { TestApp } from './app.ts'

/** The whole standings of an event, counted anew from its submissions. */
export function recount(service: TestApp, eventId: number) {
  return recountCells(service.database, eventId)
}

/** Makes sure that all three statistics of an event say what its submissions say; answers the cells. */
export async function expectRecounted(service: TestApp, eventId: number) {
  const read = async (path: string) => {
    const url = `/v1/events/${eventId}/${path}`
    const answer = await service.send({ method: 'GET', url, token: service.judgeToken })
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }
  const cells = await recount(service, eventId)
  expect(await read('attempts')).toEqual(cells)
  for (const { problem_id, accepted_count, attempted_count } of await read('problems_stats')) {
    const ofProblem = cells.filter((cell) => cell.problem_id === problem_id)
    expect(attempted_count).toBe(ofProblem.length)
    expect(accepted_count).toBe(ofProblem.filter((cell) => cell.first_accepted_time !== undefined).length)
  }
  return cells
}
