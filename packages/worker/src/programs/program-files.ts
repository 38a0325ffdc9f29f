import type { Schemas } from '@judge-data-layer/client'
import type { Language } from '@judge-data-layer/languages'
import type { Task } from './program.ts'

type Sources = Pick<Task, 'language' | 'sourceCode' | 'extraFiles' | 'severalFiles'>

/** The part of a task with a program of several files: the language's commands get their names. */
export function takeFiles(
  { files, sources, main_class }: Schemas['ProgramFiles'],
  language: Language,
): Sources {
  const [name] = sources
  const entry = files.find((file) => file.name === name)
  if (entry === undefined) throw new Error('the record does not have the file that starts the program')
  return {
    language: { ...language, sourceFile: entry.name },
    sourceCode: entry.content,
    extraFiles: files.filter((file) => file !== entry),
    severalFiles: { sources, mainClass: main_class },
  }
}
