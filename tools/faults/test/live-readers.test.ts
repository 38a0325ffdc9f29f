import { expect, it } from 'vitest'
import { findUntold } from '../live-readers.ts'

const stored = [
  { id: 'a', user_id: 'me', status: 'ACCEPTED', is_of_event: true },
  { id: 'b', user_id: 'me', status: 'WRONG_ANSWER', is_of_event: false },
  { id: 'c', user_id: 'other', status: 'ACCEPTED', is_of_event: true },
]

it.each<[object, isOfEvent: boolean, ...untold: string[]]>([
  [{ a: 'ACCEPTED', b: 'WRONG_ANSWER' }, false],
  [{ a: 'ACCEPTED' }, false, 'the stream has not told 1 of 2: b is WRONG_ANSWER, told nothing'],
  [{ a: 'PENDING', b: 'WRONG_ANSWER' }, false, 'the stream has not told 1 of 2: a is ACCEPTED, told PENDING'],
  [{ a: 'ACCEPTED' }, true],
])('finds what a stream that has told %j (of an event: %s) has not told', (told, isOfEvent, ...untold) => {
  const reader = { statuses: new Map(Object.entries(told)) }
  expect(findUntold(stored, [{ name: 'the stream', userId: 'me', isOfEvent, reader }])).toEqual(untold)
})
