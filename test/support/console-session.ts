import { readFile } from 'node:fs/promises'

/** A command that a page shows, and the output below it. */
export interface Step {
  readonly command: string
  readonly output: string
}

/** Reads the `console` blocks of a page in Markdown; commands start with `$`. */
export async function readSession(page: URL): Promise<Step[]> {
  const blocks = (await readFile(page, 'utf8')).matchAll(/```console\n(.*?)```/gs)
  const session = [...blocks].map(([, block]) => block).join('')
  return session
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command = '', ...lines] = step.split('\n')
      return { command, output: lines.join('\n').trimEnd() }
    })
}
