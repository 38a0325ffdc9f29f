import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { addAccountCommands } from './commands/account.ts'
import { addContestCommands } from './commands/contest.ts'
import { addProblemCommands } from './commands/problems.ts'
import { addRejudgeCommands } from './commands/rejudge.ts'
import { addSubmissionCommands } from './commands/submissions.ts'
import { addUserCommands } from './commands/users.ts'
import { type Cli, createCli, printJson } from './shared/cli.ts'
import { describeError, EXIT, exitCodeOf } from './shared/errors.ts'
import { hasColours, type Io } from './shared/io.ts'
import { makePrintableInColour } from './shared/text.ts'

/** Runs one command line, without the program's name. Resolves to its exit code. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const cli = createCli(io)
  try {
    await createProgram(cli).parseAsync(argv, { from: 'user' })
    return cli.exitCode
  } catch (err) {
    if (!(err instanceof CommanderError)) throw err
    const exitCode = exitCodeOf(err)
    // The options of a wrong command line are not known.
    if (exitCode !== EXIT.done && argv.includes('--json'))
      printJson(io, { error: describeError(err, undefined) })
    return exitCode
  }
}

const HELP = `
Examples:
  $ judge login --url https://judge.example.org --email ada@example.org
  $ judge problem import problems/* --verify
  $ judge submit sum.py --problem sum --wait

Environment:
  JUDGE_URL         the service, if --url is not given
  JUDGE_USER_TOKEN  a token, instead of a login; or its file: JUDGE_USER_TOKEN_FILE
  NO_COLOR          no colours

Exit codes:
  0    done
  1    rejected by the service, not as expected, or no result in time
  2    wrong command, option or file
  3    the service cannot be reached
  130  stopped with Ctrl-C while it waited`

function createProgram(cli: Cli): Command {
  const { stdout, stderr, env } = cli.io
  const program = new Command('judge')
    .description('Problem packages, submissions and their verdicts.')
    .option('--url <url>', 'the service (default: of the last login, or http://127.0.0.1:5000)')
    .option('--json', 'print one JSON document on standard output')
    .version(readVersion(), '--version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'Show the help of a command.')
    .addHelpText('after', HELP)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void stdout.write(makePrintableInColour(text)),
      writeErr: (text) => void stderr.write(makePrintableInColour(text)),
      getOutHelpWidth: () => stdout.columns ?? 80,
      getErrHelpWidth: () => stderr.columns ?? 80,
      getOutHasColors: () => hasColours(stdout, env),
      getErrHasColors: () => hasColours(stderr, env),
    })
    .showHelpAfterError('(see --help)')
    .exitOverride()
  addAccountCommands(program, cli)
  addContestCommands(program, cli)
  addProblemCommands(program, cli)
  addSubmissionCommands(program, cli)
  addRejudgeCommands(program, cli)
  addUserCommands(program, cli)
  return program
}

function readVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  return version
}
