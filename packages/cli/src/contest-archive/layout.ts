import type { ContestProblem } from '../lookup/contest-problems.ts'
import { createFileNames, toExtension, toFileName } from './file-names.ts'
import type { ListedSubmission } from './submissions.ts'

/** A file for plagiarism checkers. */
interface ComparedFile {
  readonly path: string
  /** The list of the files of its problem and language. */
  readonly list: string
  /** The path as the list names it. */
  readonly fromList: string
}

/** The paths of the submissions in an archive. */
export interface Layout {
  labelOf(problemId: number): string
  /** Every submission has its own file. */
  submissionFile(submission: ListedSubmission): string
  /** The only file of its person, in the folder of its problem and language. */
  comparedFile(submission: ListedSubmission): ComparedFile
}

/** Makes the paths. Names become safe file names: no path leaves its folder. */
export function createLayout(problems: readonly ContestProblem[]): Layout {
  const labels = new Map(problems.map(({ id, label }) => [id, label]))
  // Problems that were removed from the contest keep their submissions.
  const labelOf = (problemId: number) => labels.get(problemId) ?? `problem-${problemId}`
  const problemNames = createFileNames('if taken', 20)
  const languageNames = createFileNames('if taken', 20)
  const personNames = createFileNames('always')
  for (const { id, label } of problems) problemNames.of(String(id), label)
  const nameProblem = (id: number) => problemNames.of(String(id), labelOf(id))
  const namePerson = ({ userId, userName }: ListedSubmission) => personNames.of(userId, userName)
  return {
    labelOf,
    submissionFile(submission) {
      const { problemId, submitTime, id, status, extension } = submission
      const time = submitTime.replace(/\.\d+/, '').replaceAll(/[^0-9TZ]/g, '')
      const name = [time, toFileName(id), toFileName(status)].join('-')
      return `submissions/${nameProblem(problemId)}/${namePerson(submission)}/${name}.${toExtension(extension)}`
    },
    comparedFile(submission) {
      const folder = `plagiarism/${nameProblem(submission.problemId)}`
      const language = languageNames.of(submission.language, toLanguageName(submission.language))
      const fromList = `${language}/${namePerson(submission)}/solution.${toExtension(submission.extension)}`
      return { path: `${folder}/${fromList}`, list: `${folder}/${language}.csv`, fromList }
    },
  }
}

/** Folder names such as `cpp` and `csharp`. */
const toLanguageName = (language: string) =>
  language.toLowerCase().replaceAll('+', 'p').replaceAll('#', 'sharp')
