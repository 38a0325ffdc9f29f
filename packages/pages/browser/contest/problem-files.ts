import type { Schemas } from '@judge-data-layer/client'
import { send } from '../shared/request.ts'

export type ProblemFile = Schemas['ProblemFile']

/** Types that an `img` may show. */
const PICTURES = ['image/png', 'image/jpeg', 'image/gif']

/** Reads a file of a problem with the user's token; a link alone has none. */
export async function readFile(token: string, problemId: number, name: string): Promise<Blob> {
  const path = `/v1/problems/${problemId}/files/${encodeURIComponent(name)}`
  return (await send(path, { headers: { Authorization: token } })).blob()
}

/** Saves a file where the browser saves downloads. */
export async function downloadFile(token: string, problemId: number, name: string): Promise<void> {
  const url = URL.createObjectURL(await readFile(token, problemId, name))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken the content by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Gives pictures their content; returns a function that frees it. A missing file leaves a text. */
export function loadPictures(
  root: ParentNode,
  files: readonly ProblemFile[],
  read: (name: string) => Promise<Blob>,
): () => void {
  const urls: string[] = []
  let isOver = false
  for (const picture of root.querySelectorAll<HTMLImageElement>('img[data-file]')) {
    const file = findFile(files, picture.dataset.file ?? '')
    if (file === undefined || !PICTURES.includes(file.type)) continue
    read(file.name)
      .then((content) => {
        if (isOver) return
        const url = URL.createObjectURL(content)
        urls.push(url)
        picture.src = url
      })
      .catch(() => {
        picture.alt = `${picture.alt} (the picture ${file.name} cannot be read)`
      })
  }
  return () => {
    isOver = true
    for (const url of urls) URL.revokeObjectURL(url)
  }
}

/** The file that a statement names: by its name, or by its path in the package. */
export function findFile(files: readonly ProblemFile[], reference: string): ProblemFile | undefined {
  const wanted = decode(reference).replace(/^\.\//, '')
  return files.find(({ name, path }) => name === wanted || path === wanted || path.endsWith(`/${wanted}`))
}

/** The files without the text that is the statement: the page shows it already. */
export function withoutStatement(files: readonly ProblemFile[]): readonly ProblemFile[] {
  const texts = files.filter(({ path }) => STATEMENT_TEXT.test(path))
  // The service takes the English text, else the first language, and Markdown before LaTeX.
  const rank = ({ path }: ProblemFile) => (path.startsWith('statement/problem.en.') ? 0 : 1)
  const [shown] = texts.sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1))
  return files.filter((file) => file !== shown)
}

const STATEMENT_TEXT = /^statement\/problem\.[a-z]{2,3}(-[A-Z]{2})?\.(md|tex)$/

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
