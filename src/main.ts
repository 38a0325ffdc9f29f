import { parseArgs } from 'node:util'
import { ConfigError, StartError } from './config/start-error.ts'

const WEAK = 'allow-weak-isolation'

/**
 * Reads the arguments of `npm start`: `--judge` starts a worker too, which gets `workerFlags`, and
 * `--supervised` is for a child of such a process. Throws `StartError`.
 */
function readStartArguments(args: readonly string[]) {
  const values = readFlags(args)
  const { judge, supervised } = values
  if (values.unsandboxed)
    throw new StartError(
      '--unsandboxed',
      'programs would run beside the service without a sandbox; only `npm run worker` has this flag',
    )
  if (values[WEAK] && !judge) throw new StartError(`--${WEAK}`, 'needs --judge')
  return { judge, supervised, workerFlags: values[WEAK] ? [`--${WEAK}`] : [] }
}

function readFlags(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const
  const options = { judge: flag, supervised: flag, [WEAK]: flag, unsandboxed: flag } as const
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (err) {
    throw new StartError(args.join(' '), `the arguments are --judge and --judge --${WEAK}`, err)
  }
}

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
