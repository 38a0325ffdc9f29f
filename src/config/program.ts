import { accessSync, constants, statSync } from 'node:fs'

/** A program with its arguments; no shell is involved. */
export interface Program {
  readonly path: string
  readonly args: readonly string[]
}

/**
 * Reads a program from a variable: a JSON array of its path and arguments, or else the whole text
 * is its path. Undefined if the text is neither, or if the path has no `/` or no executable file.
 */
export function readProgram(text: string): Program | undefined {
  const [path, ...args] = readWords(text.trim())
  return path?.includes('/') && isExecutable(path) ? { path, args } : undefined
}

function readWords(text: string): string[] {
  if (!text.startsWith('[')) return [text]
  try {
    const words: unknown = JSON.parse(text)
    const isText = (word: unknown) => typeof word === 'string' && !word.includes('\0')
    return Array.isArray(words) && words.every(isText) ? words : []
  } catch {
    return []
  }
}

const isExecutable = (path: string) =>
  isAccessible(path, constants.X_OK) && statSync(path, { throwIfNoEntry: false })?.isFile() === true

/** Whether this process may use a path in a mode of `constants`, such as `R_OK`. */
export function isAccessible(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}
