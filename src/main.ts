import { ConfigError } from './config/config-error.ts'
import { StartError } from './config/start-error.ts'
import { readStartArguments } from './supervisor/arguments.ts'

try {
  const { judge, ...options } = readStartArguments(process.argv.slice(2))
  // Imported when needed: the parent of --judge stays small.
  if (judge) {
    const { runWithWorker } = await import('./supervisor/main.ts')
    process.exit(await runWithWorker(process.env, options.workerFlags))
  }
  const { runService } = await import('./run-service.ts')
  await runService(options)
} catch (err) {
  if (err instanceof ConfigError) console.error(err.message)
  else if (err instanceof StartError) console.error(`The service cannot start. ${err.message}`)
  else console.error('The service did not start.', err)
  process.exit(1)
}
