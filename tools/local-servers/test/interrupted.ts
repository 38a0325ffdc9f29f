// Starts a server in a folder, prints both, and waits for a signal.
import { makeServerFolder } from '../server-folder.ts'
import { startServerProcess } from '../server-process.ts'

const folder = await makeServerFolder('interrupted')
const { pid } = await startServerProcess({
  name: 'a server',
  command: process.execPath,
  args: ['-e', 'console.log("ready"); setInterval(() => {}, 1000)'],
  options: { cwd: folder.path },
  isReady: (line) => line === 'ready',
  readyWithinMs: 20_000,
  lastSignal: 'SIGTERM',
})
console.log(JSON.stringify({ pid, folder: folder.path }))
