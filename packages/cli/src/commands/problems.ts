import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Schemas } from '@judge-data-layer/client'
import { NoResponseError, orThrow } from '@judge-data-layer/client/errors'
import type { Command } from 'commander'
import { findProblem, listProblems, readPages, readTitle } from '../lookup/problems-and-contests.ts'
import type { Cli, Context, Outcome } from '../shared/cli.ts'
import { usageError } from '../shared/errors.ts'
import { isFolder, requireFolderOf, writeAtOnce } from '../shared/files.ts'
import { startProgress } from '../shared/io.ts'
import { type Download, downloadPackage } from '../shared/package-api.ts'
import { confirm } from '../shared/prompts.ts'
import { count, type Entry, formatBytes, formatSeconds } from '../shared/text.ts'
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
  problem
    .command('show')
    .description('Show a problem and its text.')
    .argument('<problem>', 'id or identifier of the problem')
    .addHelpText('after', '\nExamples:\n  $ judge problem show 7\n  $ judge problem show sum')
    .action(cli.action(showProblem))
  problem
    .command('delete')
    .description('Delete a problem. Its submissions stay.')
    .argument('<problem>', 'id or identifier of the problem')
    .option('--yes', 'do not ask (without a terminal, it never asks)')
    .addHelpText('after', '\nExamples:\n  $ judge problem delete 7\n  $ judge problem delete sum')
    .action(cli.action(deleteProblem))
}

const EXAMPLES = `
Examples:
  $ judge problem import sum.zip --verify
  $ judge problem list
  $ judge problem show sum
  $ judge problem export 7 -o backup/

A problem is named by its id, or by its identifier if only one problem has it.
Only admins can import, export, verify and delete problems.`

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

interface ExportOptions {
  readonly output?: string
}

function addExportCommand(parent: Command, cli: Cli): void {
  parent
    .command('export')
    .description('Save a problem as a package (a zip of the format 2025-09).')
    .argument('<problem>', 'id or identifier of the problem')
    .option('-o, --output <path>', 'file or folder (default: a new file in this folder)')
    .addHelpText('after', EXPORT_EXAMPLES)
    .action(cli.action(exportProblem))
}

const EXPORT_EXAMPLES = `
Examples:
  $ judge problem export sum
  $ judge problem export 7 -o backup/
  $ judge problem export 7 -o sum.zip

A file that exists is replaced only if -o names it.`

async function exportProblem(ctx: Context, name: string, { output }: ExportOptions): Promise<Outcome> {
  const problemId = await findProblem(ctx.client, name)
  const folder = output === undefined ? '.' : await findFolder(output)
  const download = await downloadPackage(ctx, problemId)
  try {
    const file = folder === undefined ? String(output) : await chooseFile(folder, download.fileName)
    const bytes = await save(ctx, download, file)
    const text = `Saved problem ${problemId} to ${ctx.writer.paint(file)} (${formatBytes(bytes)}).`
    return { json: { problem_id: problemId, file, bytes }, text }
  } finally {
    download.body.destroy()
  }
}

/** The folder that `-o` names; undefined if it names a file. */
async function findFolder(output: string): Promise<string | undefined> {
  if (await isFolder(output)) return output
  if (/[/\\]$/.test(output)) throw usageError(`${output}: there is no such folder.`)
  await requireFolderOf(output)
  return undefined
}

async function chooseFile(folder: string, fileName: string): Promise<string> {
  const file = join(folder, fileName)
  const existing = await stat(file).catch(() => undefined)
  if (existing === undefined) return file
  throw usageError(`${file} exists already. To replace it: -o ${file}`)
}

async function save({ io }: Context, { body, bytes }: Download, file: string): Promise<number> {
  const progress = startProgress(io, 'Downloading', bytes ?? 0)
  let saved = 0
  body.on('data', (chunk: Buffer) => {
    saved += chunk.length
    progress.advance(chunk.length, formatBytes(saved))
  })
  let isWriting = true
  try {
    await writeAtOnce(file, (temporary) => {
      const target = createWriteStream(temporary).once('error', () => {
        isWriting = false
      })
      return pipeline(body, target)
    })
    return saved
  } catch (err) {
    if (!isWriting) throw err
    throw new NoResponseError('the download was interrupted', { cause: err })
  } finally {
    progress.stop()
  }
}
