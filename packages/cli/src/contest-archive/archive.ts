import { Readable } from 'node:stream'
import type { JudgeClient, Schemas } from '@judge-data-layer/client'
import { type CsvCell, createCsvStream, formatCsv } from '../shared/csv.ts'
import type { ContestDocuments } from './documents.ts'
import { createLayout, type Layout } from './layout.ts'
import { README } from './readme-text.ts'
import { chooseForComparison, type ListedSubmission, readSubmissions } from './submissions.ts'
import type { ZipWriter } from './zip-writer.ts'

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
  const teams = readTeamNames(input.documents)
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

function readTeamNames({ teams }: ContestDocuments): ReadonlyMap<string, string> {
  return new Map(teams.flatMap(({ name, members }) => members.map(({ id }) => [id, name] as const)))
}

function formatParticipants(documents: ContestDocuments): string {
  const teams = readTeamNames(documents)
  const rows = documents.participants.map(({ id, name, email, extra_minutes, hidden }) => [
    ...[id, name, email, teams.get(id), extra_minutes, hidden ? 'hidden' : undefined],
  ])
  return formatCsv(['id', 'name', 'email', 'team', 'extra_minutes', 'hidden'], rows)
}

const SUBMISSION_HEADER = [
  ...['id', 'user_id', 'user', 'team', 'problem', 'problem_id', 'language', 'submitted', 'verdict'],
  ...['seconds', 'memory_kib', 'score', 'max_score', 'file'],
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
  const { status, time_elapsed, memory_used, score, max_score } = record
  const isJudged = status !== 'PENDING'
  return [
    ...[listed.id, listed.userId, listed.userName, teams.get(listed.userId)],
    ...[layout.labelOf(listed.problemId), listed.problemId, listed.language, listed.submitTime, status],
    ...[isJudged ? time_elapsed : undefined, memory_used, score, max_score, file],
  ]
}
