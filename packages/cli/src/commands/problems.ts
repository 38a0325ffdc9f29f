import type { Schemas } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import type { Command } from 'commander'
import { findProblem, listProblems, readPages, readTitle } from '../lookup/find-problem.ts'
import type { Cli, Context, Outcome } from '../shared/cli.ts'
import { confirm } from '../shared/prompts.ts'
import { count, type Entry, formatBytes, formatSeconds } from '../shared/text.ts'
import { addExportCommand } from './export.ts'
import { addImportCommand } from './import.ts'
import { addVerifyCommand } from './verify.ts'

/** Adds `problem` with its commands. */
export function addProblemCommands(program: Command, cli: Cli): void {
  const problem = program
    .command('problem')
    .description('Import, export, verify, list, show and delete problems.')
    .addHelpText('after', EXAMPLES)
  addImportCommand(problem, cli)
  addExportCommand(problem, cli)
  addVerifyCommand(problem, cli)
  problem
    .command('list')
    .description('List the problems that you may see.')
    .addHelpText('after', '\nExample:\n  $ judge problem list')
    .action(cli.action(showList))
  addProblemCommand(problem, cli, 'show', 'Show a problem and its text.', showProblem)
  const description = 'Delete a problem. Its submissions stay.'
  const remove = addProblemCommand(problem, cli, 'delete', description, deleteProblem)
  remove.option('--yes', 'do not ask (without a terminal, it never asks)')
}

const EXAMPLES = `
Examples:
  $ judge problem import sum.zip --verify
  $ judge problem list
  $ judge problem show sum
  $ judge problem export 7 -o backup/

A problem is named by its id, or by its identifier if only one problem has it.
Only admins can import, export, verify and delete problems.`

/** Adds a command whose only argument names a problem. */
function addProblemCommand(
  parent: Command,
  cli: Cli,
  name: string,
  description: string,
  act: (ctx: Context, name: string, options: { readonly yes?: true }) => Promise<Outcome>,
): Command {
  return parent
    .command(name)
    .description(description)
    .argument('<problem>', 'id or identifier of the problem')
    .addHelpText('after', `\nExamples:\n  $ judge problem ${name} 7\n  $ judge problem ${name} sum`)
    .action(cli.action(act))
}

async function showList({ client, writer }: Context): Promise<Outcome> {
  const problems = await listProblems(client)
  const rows = problems.map(({ id, identifier, title, difficulty, public: isPublic }) => [
    ...[String(id), identifier, title, difficulty, isPublic ? 'public' : 'private'],
  ])
  const headings = ['Id', 'Identifier', 'Title', 'Difficulty', 'Visible']
  return { json: problems, text: rows.length === 0 ? 'No problems.' : writer.table(headings, rows) }
}

async function showProblem({ client, writer }: Context, name: string): Promise<Outcome> {
  const id = await findProblem(client, name)
  const problem = await orThrow(client.GET('/v1/problems/{id}', { params: { path: { id } } }))
  const files = await readPages((page) =>
    client.GET('/v1/problems/{problem_id}/files', { params: { path: { problem_id: id }, query: page } }),
  )
  const names = files.map((file) => `${file.name} (${formatBytes(file.bytes)})`).join(', ')
  const list = writer.list([...describeProblem(problem), ['Files', names || undefined]])
  const text = `${list}\n\n${writer.paint(problem.prompt.trim())}`
  return { json: { ...problem, files }, text }
}

function describeProblem(problem: Schemas['FullProblem']): Entry[] {
  const { test_cases, max_score, validation, categories, source } = problem
  const shown = test_cases.filter(({ hidden }) => !hidden).length
  return [
    ['Id', String(problem.id)],
    ['Identifier', problem.identifier],
    ['Title', problem.title],
    ['Difficulty', problem.difficulty],
    ['Visible', problem.public ? 'public' : 'private'],
    ['Time limit', describeTimeLimit(problem)],
    ['Memory limit', `${problem.memory_limit} MiB`],
    ['Test cases', `${test_cases.length}, ${count(shown, 'sample')}`],
    ['Score', max_score?.toString()],
    ['Validation', validation?.type],
    ['Categories', categories.map((one) => one.name).join(', ') || undefined],
    ['Source', source || undefined],
  ]
}

function describeTimeLimit(problem: Schemas['FullProblem']): string {
  const note = problem.timeout_is_provisional ? ' (provisional)' : ''
  return formatSeconds(problem.execution_timeout) + note
}

async function deleteProblem(
  { client, io, writer }: Context,
  name: string,
  { yes }: { readonly yes?: true },
): Promise<Outcome> {
  const id = await findProblem(client, name)
  if (!yes && io.stdin.isTTY === true) {
    const title = writer.paint(await readTitle(client, id))
    await confirm(io, `Delete problem ${id}, "${title}"?`, 'nothing was deleted')
  }
  await orThrow(client.DELETE('/v1/problems/{id}', { params: { path: { id } } }))
  return { json: { problem_id: id, deleted: true }, text: `Deleted problem ${id}.` }
}
