import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { CONTEST_HELP, locateContest } from '../contest/find-contest.ts'
import { type ArchiveInput, createZipWriter, writeArchive } from '../contest-archive/archive.ts'
import { toFileName } from '../contest-archive/layout.ts'
import { listSubmissions, readDocuments } from '../contest-archive/read-contest.ts'
import type { Cli, Context, Outcome } from '../shared/cli.ts'
import { usageError } from '../shared/errors.ts'
import { isFolder, requireFolderOf, writeAtOnce } from '../shared/files.ts'
import { startProgress } from '../shared/io.ts'
import { count, formatBytes } from '../shared/text.ts'
import { timeoutOption, waitAtMost } from '../shared/waits.ts'

interface ExportOptions {
  readonly output?: string
  readonly force?: true
  readonly timeout: number
}

/** Adds `contest export`. */
export function addContestExportCommand(parent: Command, cli: Cli): void {
  parent
    .command('export')
    .description('Save a contest as a zip: standings, people, questions, and submissions with sources.')
    .argument('[contest]', CONTEST_HELP)
    .option('-o, --output <path>', 'file or folder (default: a new file in this folder)')
    .option('--force', 'replace a file that exists')
    .addOption(timeoutOption())
    .addHelpText('after', EXAMPLES)
    .action(cli.action(exportContest))
}

const EXAMPLES = `
Examples:
  $ judge contest export 3
  $ judge contest export 3 -o archive/
  $ judge contest export 3 -o exam.zip --force

README.txt in the zip says what is where. The folder plagiarism/ is for JPlag, Dolos, MOSS
and compare50. Only you can read the file: it has personal data. Only admins can export.`

async function exportContest(
  ctx: Context,
  name: string | undefined,
  options: ExportOptions,
): Promise<Outcome> {
  const { client, url } = ctx
  const { id } = await locateContest(name, url)
  return waitAtMost(ctx.io, options.timeout, 'No file was written.', async (signal) => {
    const documents = await readDocuments(client, id)
    const folder = `${toFileName(documents.contest.title)}-${id}`
    const file = await chooseFile(options, `${folder}.zip`)
    const submissions = await listSubmissions(client, id, signal)
    const bytes = await save(ctx, file, { client, documents, submissions, folder, signal })
    const { participants, contest } = documents
    const counts = `${count(submissions.length, 'submission')}, ${count(participants.length, 'participant')}`
    return {
      json: {
        ...{ contest_id: id, file, bytes, title: contest.title },
        ...{ submissions: submissions.length, participants: participants.length },
      },
      text: `Saved contest ${id} to ${ctx.writer.paint(file)} (${counts}, ${formatBytes(bytes)}).`,
    }
  })
}

async function chooseFile({ output, force }: ExportOptions, fileName: string): Promise<string> {
  const isIn = output !== undefined && (await isFolder(output))
  const file = isIn ? join(output, fileName) : (output ?? fileName)
  await requireFolderOf(file)
  if (!force && (await stat(file).catch(() => undefined)) !== undefined)
    throw usageError(`${file} exists already. To replace it: --force`)
  return file
}

async function save({ io }: Context, file: string, input: ArchiveInput): Promise<number> {
  const { submissions, signal } = input
  const progress = startProgress(io, 'Exporting', submissions.length)
  const zip = createZipWriter()
  try {
    return await writeAtOnce(file, async (temporary) => {
      const target = createWriteStream(temporary, { flags: 'wx', mode: 0o600 })
      const saving = pipeline(zip.output, target, { signal })
      const writing = writeArchive(zip, input, () => progress.advance(1)).catch((err: Error) => {
        zip.output.destroy(err)
        throw err
      })
      await Promise.all([saving, writing]).finally(() => Promise.allSettled([saving, writing]))
      return target.bytesWritten
    })
  } catch (err) {
    signal.throwIfAborted()
    throw err
  } finally {
    progress.stop()
  }
}
