import { parseArgs } from 'node:util'
import { StartError } from '../config/start-error.ts'

export interface StartArguments {
  /** `--judge`: start a worker too. */
  readonly judge: boolean
  /** `--supervised`: a child of a process with `--judge`. */
  readonly supervised: boolean
  /** Flags that the worker gets. */
  readonly workerFlags: readonly string[]
}

const WEAK = 'allow-weak-isolation'

/** Reads the arguments of `npm start`. Throws `StartError`. */
export function readStartArguments(args: readonly string[]): StartArguments {
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
