import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { sendSignal } from '../process-tree.ts'

function run(name: string, args: readonly string[]) {
  const main = fileURLToPath(new URL(`../../${name}/main.ts`, import.meta.url))
  const options = ['--import', 'tsx', '--conditions=source', main, ...args]
  return new Promise<{ code: unknown; output: string; errors: string }>((resolve) => {
    execFile(process.execPath, options, { env: { PATH: process.env.PATH } }, (err, output, errors) =>
      resolve({ code: err === null ? 0 : err.code, output, errors }),
    )
  })
}

it.each([
  ['bench', '--connections'],
  ['faults', '--scenario'],
  ['fuzz', '--seconds'],
])('npm run %s prints its help, even after a wrong option', async (name, option) => {
  const { code, output, errors } = await run(name, ['--wrong', '--help'])
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  expect(output).toMatch(new RegExp(`^Usage: npm run ${name} -- `))
  for (const known of [option, '-h, --help']) expect(output).toContain(`\n  ${known}`)
})

it.each([
  [['--wrong'], "unknown option '--wrong'"],
  [['--seconds', 'wrong'], "option '--seconds <N>' argument 'wrong' is invalid."],
])('a tool exits with 2 and one line after %j', async (args, message) => {
  const { code, output, errors } = await run('fuzz', args)
  expect({ code, output }).toEqual({ code: 2, output: '' })
  expect(errors.startsWith(message)).toBe(true)
  expect(errors).toMatch(/^.+ \(see --help\)\n$/)
})

/** Starts a server in a folder, prints both, and waits for a signal. */
const SCRIPT = `
  import { makeServerFolder, startServerProcess } from './tools/local-servers/server-process.ts'
  const { path } = await makeServerFolder('interrupted')
  const { pid } = await startServerProcess({
    name: 'a server',
    command: process.execPath,
    args: ['-e', 'console.log("ready"); setInterval(() => {}, 1000)'],
    options: { cwd: path },
    isReady: (line) => line === 'ready',
    lastSignal: 'SIGTERM',
  })
  console.log(JSON.stringify({ pid, path }))`

it('an interrupted process leaves no servers and no data behind', async () => {
  const child = execFile(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', SCRIPT])
  const output = await new Promise<string>((resolve) => child.stdout?.once('data', resolve))
  const { pid, path } = JSON.parse(output)
  expect([sendSignal(pid, 'SIGCONT'), existsSync(path)]).toEqual([true, true])
  child.kill('SIGINT')
  await expect.poll(() => [`/proc/${pid}/exe`, path].filter(existsSync)).toEqual([])
})
