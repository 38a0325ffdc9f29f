import { run } from './run.ts'

// A closed pipe, such as `judge problem list | head`, is no error.
process.stdout.on('error', (err: NodeJS.ErrnoException) => {
  if (err.code !== 'EPIPE') throw err
  process.exit(0)
})
process.exitCode = await run(process.argv.slice(2), process)
