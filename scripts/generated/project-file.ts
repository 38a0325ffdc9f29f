import { readFile } from 'node:fs/promises'

/** The present text of a file of the project; empty if there is none. */
export async function readProjectFile(path: string): Promise<string> {
  return readFile(projectFile(path), 'utf8').catch(() => '')
}

export const projectFile = (path: string) => new URL(`../../${path}`, import.meta.url)
