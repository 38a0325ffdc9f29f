import type { ContestProblem } from '../lookup/problems-and-contests.ts'
import type { ListedSubmission } from './read-contest.ts'

/** The paths of the submissions in an archive. */
export type Layout = ReturnType<typeof createLayout>

/** Makes the paths. Names become safe file names: no path leaves its folder. */
export function createLayout(problems: readonly ContestProblem[]) {
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
    /** Every submission has its own file. */
    submissionFile(submission: ListedSubmission): string {
      const { problemId, submitTime, id, status, extension } = submission
      const time = submitTime.replace(/\.\d+/, '').replaceAll(/[^0-9TZ]/g, '')
      const name = [time, toFileName(id), toFileName(status)].join('-')
      return `submissions/${nameProblem(problemId)}/${namePerson(submission)}/${name}.${toExtension(extension)}`
    },
    /**
     * The only file of its person, in the folder of its problem and language, for plagiarism
     * checkers. `list` is the list of these files, and `fromList` the path in it.
     */
    comparedFile(submission: ListedSubmission) {
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

const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i

/**
 * Makes a name that is safe on every file system, in a shell and in a path: letters, digits, `_`
 * and `-`, and at most `most` characters. Letters of all scripts stay.
 */
export function toFileName(text: string, most = 40): string {
  const safe = text
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}-]+/gu, '_')
    .replace(/^[-_\p{M}]+/u, '')
  const short = Array.from(safe)
    .slice(0, most)
    .join('')
    .replace(/[-_]+$/, '')
  if (short === '') return 'unnamed'
  return RESERVED.test(short) ? `${short}_` : short
}

/**
 * Makes a set of names. Names of people always end with a part of the id, so that they are the same
 * in all exports; others only if they are taken.
 */
function createFileNames(suffix: 'always' | 'if taken', most?: number) {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  return {
    /** The same name for the same id. No two names of a set differ only in upper and lower case. */
    of(id: string, text: string): string {
      const known = names.get(id)
      if (known !== undefined) return known
      const base = toFileName(text, most)
      const choices = [base, `${base}-${toFileName(id.slice(-8))}`, `${base}-${toFileName(id)}`]
      const found = choices.slice(suffix === 'always' ? 1 : 0).find((name) => !taken.has(name.toLowerCase()))
      const name = found ?? `${base}-${names.size}-${toFileName(id)}`
      names.set(id, name)
      taken.add(name.toLowerCase())
      return name
    },
  }
}

/** The extension of a language's files, `txt` if it has no usual one. */
function toExtension(extension: string): string {
  const safe = extension.toLowerCase().replace(/^\.+/, '')
  return /^[a-z0-9]{1,10}$/.test(safe) ? safe : 'txt'
}
