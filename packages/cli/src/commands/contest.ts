import type { Command } from 'commander'
import { showArguments } from '../contest/arguments.ts'
import type { Cli } from '../shared/cli.ts'
import { addApplyCommand } from './contest-apply.ts'
import { addContestExportCommand } from './contest-export.ts'
import { addContestListCommands } from './contest-list.ts'
import { addQuestionCommands } from './contest-questions.ts'
import { addScoreboardCommand } from './contest-scoreboard.ts'
import { addStandingsCommand } from './contest-standings.ts'
import { addThawCommand } from './contest-thaw.ts'
import { addContestTimeCommands } from './contest-times.ts'

/** Adds `contest` with its commands. */
export function addContestCommands(program: Command, cli: Cli): void {
  const contest = program
    .command('contest')
    .description('Create, change, run and watch contests.')
    .addHelpText('after', EXAMPLES)
  showArguments(contest)
  addApplyCommand(contest, cli)
  addContestListCommands(contest, cli)
  addContestTimeCommands(contest, cli)
  addThawCommand(contest, cli)
  addQuestionCommands(contest, cli)
  addStandingsCommand(contest, cli)
  addScoreboardCommand(contest, cli)
  addContestExportCommand(contest, cli)
}

const EXAMPLES = `
Examples:
  $ judge contest apply exam/contest.yaml
  $ judge contest list
  $ judge contest standings exam --watch

A contest is named by its id, or by the path of its contest file or folder, which has the
id in contest.lock. Without a name it is the one of contest.lock in this folder.`
