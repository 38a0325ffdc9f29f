import { run } from './run.ts'

// A closed pipe, such as `judge problem list | head`, is no error.
process.stdout.on('error', (err: NodeJS.ErrnoException) => {
  if (err.code !== 'EPIPE') throw err
  process.exit(0)
})
const { stdin, stdout, stderr, env } = process
process.exitCode = await run(process.argv.slice(2), { stdin, stdout, stderr, env, interrupts: process })
