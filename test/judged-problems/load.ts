import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { JudgedProblem, JudgedValidation } from './judged-problem.ts'

const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ '.c': 'C', '.cpp': 'C++', '.js': 'JavaScript', '.py': 'Python' },
}

/** Returns the body that creates the problem. Throws if a file of its validator is missing. */
export function makeBody(problem: JudgedProblem): object {
  const { title, folder, tests, validation, programs, hides, ...options } = problem
  return {
    title,
    identifier: folder,
    prompt: 'A problem of the tests.',
    difficulty: 'EASY',
    ...{ accept_timeout: 10, execution_timeout: 5, memory_limit: 256, public: true },
    ...options,
    ...(validation && { validation: withContents(folder, validation) }),
    test_cases: tests.map(([input, expected_output]) => ({ input, expected_output, hidden: false })),
  }
}

/** Returns a program's text and the name of its language. Throws if it is missing. */
export function readProgram(folder: string, file: string): { language: string; source_code: string } {
  const language = LANGUAGES[extname(file)]
  if (language === undefined) throw new Error(`no language has the extension of ${file}`)
  return { language, source_code: readText(join(import.meta.dirname, folder, file)) }
}

function withContents(folder: string, { files, ...validation }: JudgedValidation): object {
  const contents = files?.map((name) => {
    const own = join(import.meta.dirname, folder, name)
    const path = existsSync(own) ? own : join(import.meta.dirname, 'testlib', name)
    return { name, content: readText(path) }
  })
  return { ...validation, ...(contents && { files: contents }) }
}

const readText = (path: string) => readFileSync(path, 'utf8')
