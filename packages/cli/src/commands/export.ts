import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { NoResponseError } from '@judge-data-layer/client/errors'
import type { Command } from 'commander'
import { findProblem } from '../lookup/find-problem.ts'
import type { Cli, Context, Outcome } from '../shared/cli.ts'
import { usageError } from '../shared/errors.ts'
import { isFolder, requireFolderOf, writeAtOnce } from '../shared/files.ts'
import type { Download } from '../shared/package-api.ts'
import { startProgress } from '../shared/progress.ts'
import { formatBytes } from '../shared/text.ts'

interface ExportOptions {
  readonly output?: string
}

/** Adds `problem export`. */
export function addExportCommand(parent: Command, cli: Cli): void {
  parent
    .command('export')
    .description('Save a problem as a package (a zip of the format 2025-09).')
    .argument('<problem>', 'id or identifier of the problem')
    .option('-o, --output <path>', 'file or folder (default: a new file in this folder)')
    .addHelpText('after', EXAMPLES)
    .action(cli.action(exportProblem))
}

const EXAMPLES = `
Examples:
  $ judge problem export sum
  $ judge problem export 7 -o backup/
  $ judge problem export 7 -o sum.zip

A file that exists is replaced only if -o names it.`

async function exportProblem(ctx: Context, name: string, { output }: ExportOptions): Promise<Outcome> {
  const problemId = await findProblem(ctx.client, name)
  const folder = output === undefined ? '.' : await findFolder(output)
  const download = await ctx.packages.download(problemId)
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
