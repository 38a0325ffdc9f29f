import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const built = new URL('../dist/stop-signals.js', import.meta.url)

/** Starts a program that prints each stop, and ends with 0 when its input ends. */
async function startProgram() {
  const script = `import { onStopSignal } from ${JSON.stringify(built.href)}
    onStopSignal((signal) => console.log('stopping: ' + signal))
    process.stdin.on('end', () => process.exit(0)).resume()
    console.log('started')`
  const args = ['--input-type=module', '--eval', script]
  const child = spawn(process.execPath, args, { cwd: fileURLToPath(new URL('.', import.meta.url)) })
  onTestFinished(() => void child.kill('SIGKILL'))
  const printed: string[] = []
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => void printed.push(line))
  await once(lines, 'line')
  return { child, printed, ended: once(child, 'close').then(([code]) => code) }
}

it('the signal that npm repeats at Ctrl-C does not end a program that is stopping', async () => {
  const { child, printed, ended } = await startProgram()
  child.kill('SIGINT')
  await expect.poll(() => printed).toContain('stopping: SIGINT')
  child.kill('SIGINT')
  child.stdin.end()
  expect(await ended).toBe(0)
  expect(printed).toEqual(['started', 'stopping: SIGINT'])
})

it.each([
  ['SIGTERM', 'SIGTERM'],
  ['SIGTERM', 'SIGINT'],
  ['SIGINT', 'SIGINT'],
] as const)('after %s, a %s at least a second later ends the program with 1', async (first, second) => {
  const { child, printed, ended } = await startProgram()
  child.kill(first)
  await expect.poll(() => printed).toContain(`stopping: ${first}`)
  const stoppingMs = performance.now()
  const repeated = setInterval(() => child.kill(second), 50)
  expect(await ended.finally(() => clearInterval(repeated))).toBe(1)
  expect(performance.now() - stoppingMs).toBeGreaterThan(800)
  expect(printed).toEqual(['started', `stopping: ${first}`])
})
