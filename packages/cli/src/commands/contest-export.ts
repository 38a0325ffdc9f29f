import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { CONTEST_HELP, findContest } from '../contest/find-contest.ts'
import { writeArchive } from '../contest-archive/archive.ts'
import { type ContestDocuments, readDocuments } from '../contest-archive/documents.ts'
import { toFileName } from '../contest-archive/file-names.ts'
import { type ListedSubmission, listSubmissions } from '../contest-archive/submissions.ts'
import { createZipWriter } from '../contest-archive/zip-writer.ts'
import type { Cli, Context, Outcome } from '../shared/cli.ts'
import { usageError } from '../shared/errors.ts'
import { startProgress } from '../shared/progress.ts'
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
    .action((name: string | undefined, options: ExportOptions, command: Command) =>
      cli.perform(command, (ctx) => exportContest(ctx, name, options)),
    )
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
  const id = await findContest(name, url)
  return waitAtMost(ctx.io, options.timeout, 'No file was written.', async (signal) => {
    const documents = await readDocuments(client, id)
    const folder = `${toFileName(documents.contest.title)}-${id}`
    const file = await chooseFile(options, `${folder}.zip`)
    const submissions = await listSubmissions(client, id, signal)
    const bytes = await save(ctx, file, folder, documents, submissions, signal)
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
  const stats = output === undefined ? undefined : await stat(output).catch(() => undefined)
  const file =
    output === undefined ? fileName : stats?.isDirectory() === true ? join(output, fileName) : output
  const parent = await stat(dirname(file)).catch(() => undefined)
  if (!parent?.isDirectory()) throw usageError(`${dirname(file)}: there is no such folder.`)
  if (!force && (await stat(file).catch(() => undefined)) !== undefined)
    throw usageError(`${file} exists already. To replace it: --force`)
  return file
}

/** Saves to a temporary file first: an interrupted export leaves no half of an archive. */
async function save(
  { client, io }: Context,
  file: string,
  folder: string,
  documents: ContestDocuments,
  submissions: readonly ListedSubmission[],
  signal: AbortSignal,
): Promise<number> {
  const temporary = join(dirname(file), `.${basename(file)}.${process.pid}.part`)
  const progress = startProgress(io, 'Exporting', submissions.length)
  const zip = createZipWriter()
  const target = createWriteStream(temporary, { flags: 'wx', mode: 0o600 })
  const saving = pipeline(zip.output, target, { signal })
  const onSubmission = () => progress.advance(1)
  const input = { client, documents, submissions, folder, signal, onSubmission }
  const writing = writeArchive(zip, input).catch((err: Error) => {
    zip.output.destroy(err)
    throw err
  })
  try {
    await Promise.all([saving, writing])
    await rename(temporary, file)
    return target.bytesWritten
  } catch (err) {
    await Promise.allSettled([saving, writing])
    await rm(temporary, { force: true })
    signal.throwIfAborted()
    throw err
  } finally {
    progress.stop()
  }
}
