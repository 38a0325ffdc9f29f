import { PassThrough, Readable } from 'node:stream'
import type { JudgeClient, Schemas } from '@judge-data-layer/client'
import { ZipFile } from 'yazl'
import { teamNamesOf } from '../lookup/problems-and-contests.ts'
import { type CsvCell, createCsvStream, formatCsv } from '../shared/csv.ts'
import { createLayout, type Layout } from './layout.ts'
import {
  type ContestDocuments,
  chooseForComparison,
  type ListedSubmission,
  readSubmissions,
} from './read-contest.ts'

/** The README.txt of an archive. */
const README = `This archive contains a contest, as its staff sees it. It has personal data:
keep it safe. It has no passwords.

contest.json           the contest and its problems
standings.csv, .json   the ranks, without the freeze
standings-teams.*      the ranks of teams, in a contest with teams
participants.csv,
participants.json      the people, with their extra minutes; "late" registered
                       after the end and are not in the standings
teams.json             the teams and their members
questions.json         the questions and their answers
announcements.json     the announcements of staff
submissions.csv        all submissions: verdict, reason, time, memory, score, file
submissions/           their source files:
                       PROBLEM/PERSON/TIME-ID-VERDICT.EXTENSION
plagiarism/            one source file of each person, for plagiarism checkers:
                       PROBLEM/LANGUAGE/PERSON/solution.EXTENSION

CSV files are in UTF-8. A cell that begins with = + - @ has an apostrophe in
front, so that no spreadsheet takes it for a formula. Times are in UTC.

Plagiarism checkers. Of each person, problem and language, plagiarism/ has the
last accepted submission, or else the last one. Examples for problem A:

  java -jar jplag.jar -l python3 plagiarism/A/python
  dolos run -l python plagiarism/A/python.csv
  moss -l python -d plagiarism/A/python/*/*
  compare50 plagiarism/A/python/*
`

/** The parts of an archive. */
export interface ArchiveInput {
  readonly client: JudgeClient
  readonly documents: ContestDocuments
  readonly submissions: readonly ListedSubmission[]
  /** The top folder. */
  readonly folder: string
  readonly signal: AbortSignal
}

/** Writes the entries of an archive, and ends the zip. `onSubmission` is called after each one. */
export async function writeArchive(
  zip: ZipWriter,
  input: ArchiveInput,
  onSubmission: () => void,
): Promise<void> {
  const add = (path: string, content: string | Readable, time?: Date) =>
    zip.add(`${input.folder}/${path}`, content, time)
  for (const [path, content] of listDocuments(input.documents)) await add(path, content)
  const layout = createLayout(input.documents.problems)
  const teams = teamNamesOf(input.documents.teams)
  const chosen = chooseForComparison(input.submissions)
  const rows: CsvCell[][] = []
  const compared = new Map<string, CsvCell[][]>()
  for await (const [listed, record] of readSubmissions(input.client, input.submissions, input.signal)) {
    const file = layout.submissionFile(listed)
    const time = new Date(listed.submitTime)
    await add(file, record.source_code, time)
    rows.push(toRow(listed, record, layout, teams, file))
    if (chosen.has(listed.id)) {
      const copy = layout.comparedFile(listed)
      await add(copy.path, record.source_code, time)
      const list = compared.get(copy.list) ?? []
      list.push([copy.fromList, listed.userName, teams.get(listed.userId), listed.submitTime])
      compared.set(copy.list, list)
    }
    onSubmission()
  }
  await add('submissions.csv', Readable.from(rows).pipe(createCsvStream(SUBMISSION_HEADER)))
  for (const [path, list] of compared) await add(path, formatCsv(DOLOS_HEADER, list, { bom: false }))
  zip.end()
}

function* listDocuments(documents: ContestDocuments): Generator<readonly [string, string]> {
  const { contest, standings, teamStandings, participants, teams } = documents
  yield ['README.txt', README]
  yield ['contest.json', toJson(contest)]
  yield ['standings.json', toJson(standings.json)]
  yield ['standings.csv', withMark(standings.csv)]
  if (teamStandings !== undefined) {
    yield ['standings-teams.json', toJson(teamStandings.json)]
    yield ['standings-teams.csv', withMark(teamStandings.csv)]
  }
  yield ['participants.json', toJson(participants)]
  yield ['participants.csv', formatParticipants(documents)]
  yield ['teams.json', toJson(teams)]
  yield ['questions.json', toJson(documents.questions)]
  yield ['announcements.json', toJson(documents.announcements)]
}

const toJson = (document: unknown) => `${JSON.stringify(document, null, 2)}\n`

/** Excel needs the byte order mark. */
const withMark = (csv: string) => `\ufeff${csv}`

function formatParticipants(documents: ContestDocuments): string {
  const teams = teamNamesOf(documents.teams)
  const rows = documents.participants.map(({ id, name, email, extra_minutes, hidden, late }) => [
    ...[id, name, email, teams.get(id), extra_minutes, hidden ? 'hidden' : undefined],
    late ? 'late' : undefined,
  ])
  return formatCsv(['id', 'name', 'email', 'team', 'extra_minutes', 'hidden', 'late'], rows)
}

const SUBMISSION_HEADER = [
  ...['id', 'user_id', 'user', 'team', 'problem', 'problem_id', 'language', 'submitted', 'verdict'],
  ...['reason', 'seconds', 'memory_kib', 'score', 'max_score', 'file'],
]

/** The columns that Dolos knows. */
const DOLOS_HEADER = ['filename', 'full_name', 'label', 'created_at']

function toRow(
  listed: ListedSubmission,
  record: Schemas['Submission'],
  layout: Layout,
  teams: ReadonlyMap<string, string>,
  file: string,
): CsvCell[] {
  const { status, reason, time_elapsed, memory_used, score, max_score } = record
  const isJudged = status !== 'PENDING'
  return [
    ...[listed.id, listed.userId, listed.userName, teams.get(listed.userId)],
    ...[layout.labelOf(listed.problemId), listed.problemId, listed.language, listed.submitTime, status],
    ...[reason, isJudged ? time_elapsed : undefined, memory_used, score, max_score, file],
  ]
}

/** Writes a zip while its entries are made: only one is in memory at a time. */
type ZipWriter = ReturnType<typeof createZipWriter>

/** Makes the writer of one zip. */
export function createZipWriter() {
  const zip = new ZipFile()
  const output = new PassThrough()
  zip.outputStream.pipe(output)
  zip.on('error', (err: Error) => void output.destroy(err))
  return {
    output,
    /** Adds an entry. Resolves when the earlier ones are written; rejects if the output fails. */
    async add(path: string, content: string | Readable, time?: Date): Promise<void> {
      const stream = typeof content === 'string' ? Readable.from([Buffer.from(content)]) : content
      // The library does not pass on the errors of these streams.
      stream.once('error', (err) => void output.destroy(err))
      await new Promise<void>((resolve, reject) => {
        const fail = () => reject(output.errored ?? new Error('the zip was closed'))
        if (output.destroyed) return fail()
        output.once('close', fail)
        zip.addReadStreamLazy(path, { mode: 0o100644, ...(time && { mtime: time }) }, (addStream) => {
          output.off('close', fail)
          addStream(null, stream)
          resolve()
        })
      })
    },
    /** There are no more entries. */
    end: () => zip.end(),
  }
}
