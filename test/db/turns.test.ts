import { expect, test } from 'vitest'
import { DatabaseOverloaded, DatabaseUnavailable, StatementUnwanted } from '../../src/db/database.ts'
import { SessionTurns } from '../../src/db/turns.ts'
import { gate } from '../support/queue.ts'

const PATIENT = { maxWaiting: 100, requestMs: 60_000, backgroundMs: 60_000 }

const person = () => ({ isWaiting: () => true, isUrgent: false })
const judge = () => ({ isWaiting: () => true, isUrgent: true })

/** Takes the turn until `pass`, and writes down which work ran after it. */
function takeTurn(bounds = PATIENT) {
  const turns = new SessionTurns(bounds)
  const ran: string[] = []
  const held = gate()
  const holding = turns.run(undefined, () => held.passed)
  const add = (name: string, requester?: ReturnType<typeof person>) =>
    turns.run(requester, async () => {
      ran.push(name)
    })
  const pass = async () => {
    held.open()
    await holding
  }
  return { turns, ran, add, pass }
}

test('background work and judges take every second turn, and the requests the others', async () => {
  const { ran, add, pass } = takeTurn()
  const work = ['a', 'b', 'c'].map((name) => add(name, person()))
  work.push(add('relay'), add('verdict', judge()), add('upkeep'), add('second verdict', judge()))
  await pass()
  await Promise.all(work)
  expect(ran).toEqual(['a', 'relay', 'b', 'verdict', 'c', 'upkeep', 'second verdict'])
})

test('a request that has used the database goes before new ones', async () => {
  const { turns, ran, add, pass } = takeTurn()
  const begun = person()
  const first = add('first', begun).then(() => add('its next', begun))
  const others = ['b', 'c'].map((name) => add(name, person()))
  await pass()
  await Promise.all([first, ...others])
  // It asks again when the next turn has been given.
  expect(ran).toEqual(['first', 'b', 'its next', 'c'])
  expect(turns.waiting).toBe(0)
})

test('at most so many requests wait; others are refused at once, but not those that have begun', async () => {
  const { turns, ran, add, pass } = takeTurn({ ...PATIENT, maxWaiting: 2 })
  const begun = person()
  const again = add('a', begun).then(() => add('a again', begun))
  const waiting = add('b', person())
  const refused = [add('c', person()), add('d', person())]
  for (const one of refused) await expect(one).rejects.toBeInstanceOf(DatabaseOverloaded)
  const background = add('relay')
  expect(turns.waiting).toBe(3)
  await pass()
  await Promise.all([again, waiting, background])
  expect(ran.toSorted()).toEqual(['a', 'a again', 'b', 'relay'])
})

test('a request that waits too long is refused and never runs', async () => {
  const { turns, ran, add, pass } = takeTurn({ ...PATIENT, requestMs: 20 })
  const background = add('relay')
  const refused = [add('a', person()), add('verdict', judge())]
  for (const one of refused) await expect(one).rejects.toBeInstanceOf(DatabaseUnavailable)
  await pass()
  await background
  expect(ran).toEqual(['relay'])
  expect(turns.waiting).toBe(0)
})

test('the work of a request that nobody waits for is not started', async () => {
  const { ran, add, pass } = takeTurn()
  let isWaiting = true
  const gone = { isWaiting: () => isWaiting, isUrgent: false }
  const queued = expect(add('queued', gone)).rejects.toBeInstanceOf(StatementUnwanted)
  const other = add('other', person())
  isWaiting = false
  await expect(add('late', gone)).rejects.toBeInstanceOf(StatementUnwanted)
  await pass()
  await Promise.all([queued, other])
  expect(ran).toEqual(['other'])
})

test('the turn passes on after a failure', async () => {
  const { turns, ran, add, pass } = takeTurn()
  const failing = turns.run(person(), () => Promise.reject(new Error('it fails')))
  const next = add('next', person())
  await pass()
  await expect(failing).rejects.toThrow('it fails')
  await next
  await add('last', person())
  expect(ran).toEqual(['next', 'last'])
})
