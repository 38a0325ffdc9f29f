import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sendSignal } from '../process-tree.ts'

/** Starts a server in a folder, prints both, and waits for a signal. */
const SCRIPT = `
  import { makeServerFolder } from './tools/local-servers/server-folder.ts'
  import { startServerProcess } from './tools/local-servers/server-process.ts'
  const { path } = await makeServerFolder('interrupted')
  const { pid } = await startServerProcess({
    name: 'a server',
    command: process.execPath,
    args: ['-e', 'console.log("ready"); setInterval(() => {}, 1000)'],
    options: { cwd: path },
    isReady: (line) => line === 'ready',
    readyWithinMs: 20_000,
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
