import { Option } from 'commander'
import { addSeed, createCommand, readCommandLine } from '../local-servers/command-line.ts'

interface FaultOptions {
  readonly seed: number
  /** Undefined: all. */
  readonly scenario?: readonly string[]
  readonly short?: true
  readonly markdown?: string
  /** Of a cluster only. */
  readonly throughProxy?: true
}

/** Reads the options of a command with these scenarios and `more` options of its own. */
export function readFaultOptions(
  script: string,
  description: string,
  scenarios: readonly string[],
  ...more: readonly Option[]
): FaultOptions {
  const chosen = new Option('--scenario <NAME...>', 'run only these scenarios (default: all)')
  const command = createCommand(script, description)
  for (const option of [chosen.choices(scenarios), ...more]) command.addOption(option)
  command
    .option('--short', 'each fault once, and for a shorter time')
    .option('--markdown <FILE>', 'write the table as Markdown')
  addSeed(command, 'decides the moments of the faults')
  return readCommandLine((args) => command.parse(args, { from: 'user' }).opts())
}
