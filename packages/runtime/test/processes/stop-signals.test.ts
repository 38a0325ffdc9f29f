import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished, vi } from 'vitest'
import { onStopSignal } from '../../src/stop-signals.ts'

const built = new URL('../../dist/stop-signals.js', import.meta.url)

/** Starts a program that prints each stop, and ends with 0 when its input ends. */
async function startProgram() {
  const script = `import { onStopSignal } from ${JSON.stringify(built.href)}
    onStopSignal((signal) => console.log('stopping: ' + signal))
    process.stdin.on('end', () => process.exit(0)).resume()
    console.log('started')`
  const args = ['--input-type=module', '--eval', script]
  const child = spawn(process.execPath, args, { cwd: fileURLToPath(new URL('..', import.meta.url)) })
  onTestFinished(() => void child.kill('SIGKILL'))
  const printed: string[] = []
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => void printed.push(line))
  await once(lines, 'line')
  return { child, printed, ended: once(child, 'close').then(([code]) => code) }
}

it('a signal in the second after the first one, as npm repeats it at Ctrl-C, does not end the process', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const listen = vi.spyOn(process, 'on').mockReturnThis()
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  onTestFinished(() => void vi.restoreAllMocks())
  const stopped: string[] = []
  onStopSignal((signal) => void stopped.push(signal))
  const signal = listen.mock.calls.find(([name]) => name === 'SIGINT')?.[1]
  signal?.('SIGINT')
  for (const ms of [0, 999]) {
    vi.advanceTimersByTime(ms)
    signal?.('SIGINT')
    expect(exit).not.toHaveBeenCalled()
  }
  vi.advanceTimersByTime(1)
  signal?.('SIGINT')
  expect(exit.mock.calls).toEqual([[1]])
  expect(stopped).toEqual(['SIGINT'])
})

it.each([
  ['SIGTERM', 'SIGTERM'],
  ['SIGTERM', 'SIGINT'],
  ['SIGINT', 'SIGINT'],
] as const)('after %s, a %s that is repeated ends the program with 1', async (first, second) => {
  const { child, printed, ended } = await startProgram()
  child.kill(first)
  await expect.poll(() => printed).toContain(`stopping: ${first}`)
  const repeated = setInterval(() => child.kill(second), 50)
  expect(await ended.finally(() => clearInterval(repeated))).toBe(1)
  expect(printed).toEqual(['started', `stopping: ${first}`])
})
