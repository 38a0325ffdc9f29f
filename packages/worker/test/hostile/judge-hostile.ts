import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Language } from '@judge-data-layer/languages'
import type { Task } from '../../src/program.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import type { Verdict } from '../../src/verdict.ts'
import { defaultLanguages } from '../support/default-languages.ts'
import { missing } from '../support/requirements.ts'
import { judgeOnTests, makeTestCase } from '../support/test-cases.ts'
import { COMPILE_LIMITS, COMPLETE, DEFAULT_LIMITS, type HostileProgram } from './catalogue.ts'

const FOLDER = join(import.meta.dirname, 'programs')
/** The sandbox shows only the system's commands. */
const SYSTEM_COMMANDS: Readonly<Record<string, string>> = {
  C: '/usr/bin/gcc',
  'C++': '/usr/bin/g++',
  Python: '/usr/bin/python3',
  JavaScript: process.execPath,
  Java: '/usr/bin/javac',
  Perl: '/usr/bin/perl',
}

export function readProgram(file: string): Promise<string> {
  return readFile(join(FOLDER, file), 'utf8')
}

/** The reason to leave out a hostile program; undefined if it can run on this machine. */
export function findObstacle({ file }: HostileProgram): string | undefined {
  if (/-(x32|i386)\./.test(file) && process.arch !== 'x64') return 'this processor has no such calls'
  const command = SYSTEM_COMMANDS[languageOf(file).name]
  return command === undefined ? `no command is known for ${file}` : missing(command)
}

/** The task of judging a hostile program. All its processes have `mark` in their environment. */
export async function makeTask(program: HostileProgram, sandbox: Sandbox, mark: string): Promise<Task> {
  const language = languageOf(program.file)
  return {
    sandbox,
    sourceCode: await readProgram(program.file),
    limits: { ...DEFAULT_LIMITS, ...program.limits },
    language: {
      ...language,
      environment: { ...language.environment, HOSTILE_MARK: mark },
      compileLimits: { ...language.compileLimits, ...COMPILE_LIMITS, ...program.compileLimits },
    },
  }
}

/** The same sandbox, in which all runs wait before they start, or none. */
export function changeStart(sandbox: Sandbox, waits: boolean): Sandbox {
  return {
    ...sandbox,
    async run({ startWhen, ...request }) {
      if (waits && !request.alone) return sandbox.run({ ...request, startWhen: startWhen ?? setImmediate() })
      await startWhen
      return sandbox.run(request)
    },
  }
}

/** Judges a hostile program; `input` is the default input of its test case. */
export async function judgeHostile(program: HostileProgram, task: Task, input: string): Promise<Verdict> {
  const { inputs = [input], output = COMPLETE } = program
  return judgeOnTests(
    task,
    inputs.map((text) => makeTestCase(text, output)),
  )
}

function languageOf(file: string): Language {
  const extension = extname(file).slice(1)
  const found = defaultLanguages.find(({ extensions }) => extensions.includes(extension))
  if (!found) throw new Error(`no language has the extension of ${file}`)
  return found
}
