import { useLayoutEffect, useRef } from 'preact/hooks'
import { renderMarkdown } from './markdown.ts'
import { downloadFile, findFile, loadPictures, type ProblemFile, readFile } from './problem-files.ts'

interface StatementProps {
  readonly token: string
  readonly problemId: number
  readonly prompt: string
  readonly files: readonly ProblemFile[]
}

/** A statement: Markdown with formulas, and pictures of the problem. */
export function Statement({ token, problemId, prompt, files }: StatementProps) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (place.current === null) return undefined
    place.current.replaceChildren(renderMarkdown(prompt))
    for (const link of place.current.querySelectorAll<HTMLElement>('a[data-file]')) {
      const file = findFile(files, link.dataset.file ?? '')
      if (file !== undefined) turnIntoDownload(link, () => downloadFile(token, problemId, file.name))
    }
    return loadPictures(place.current, files, (name) => readFile(token, problemId, name))
  }, [token, problemId, prompt, files])
  return <div ref={place} class="statement" />
}

function turnIntoDownload(link: HTMLElement, download: () => Promise<void>): void {
  const button = document.createElement('button')
  button.type = 'button'
  button.append(...link.childNodes)
  button.addEventListener('click', () => {
    download().catch((err: unknown) => button.append(` (${err instanceof Error ? err.message : 'failed'})`))
  })
  link.replaceWith(button)
}
