import { expect, it } from 'vitest'
import { restartUntilReady } from '../cluster.ts'
import type { Machine, Program, Running } from '../machine.ts'

const program: Program = { name: 'etcd', command: ['etcd'], startWithinMs: 100 }

/** A machine whose program never becomes ready, and which is switched off after some starts. */
function makeMachine(mostStarts: number) {
  const done: string[] = []
  const starts = () => done.filter((one) => one === 'started').length
  const machine = {
    ...{ name: 'etcd1', role: 'etcd', address: '127.0.0.1:1/none' },
    isOn: () => starts() < mostStarts,
    isRunning: () => true,
    start: (): Running => {
      done.push('started')
      let isRunning = true
      const killAll = async () => {
        isRunning = false
        done.push('killed')
      }
      return { isRunning: () => isRunning, killAll } as unknown as Running
    },
  } as unknown as Machine
  return { machine, done }
}

it('kills a program whose start takes too long, and starts it again', async () => {
  const { machine, done } = makeMachine(3)
  const steps: string[] = []
  await restartUntilReady(machine, program, machine.start(program), (step) => steps.push(step))
  expect(done).toEqual(['started', 'killed', 'started', 'killed', 'started', 'killed'])
  expect(steps[0]).toBe('etcd of etcd1 did not start in time: starting it again')
})

it('leaves a program alone that has ended by itself', async () => {
  const { machine, done } = makeMachine(3)
  const running = machine.start(program)
  await running.killAll()
  await restartUntilReady(machine, program, running, () => {})
  expect(done).toEqual(['started', 'killed'])
})
