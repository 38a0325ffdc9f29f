import { once } from 'node:events'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { format } from 'node:util'
import { runInNewContext } from 'node:vm'

const require = createRequire(import.meta.url)
const EXIT_CODE_OF_ACCEPTED = 42
const EXIT_CODE_OF_WRONG = 43

/** As the service has it. */
export interface Validation {
  readonly type: 'default' | 'custom' | 'interactive'
  readonly flags?: string
  readonly files?: readonly { readonly name: string; readonly content: string }[]
}

export interface TestCase {
  readonly name: string
  readonly input: string
  readonly expected_output: string
}

export type Result = 'accepted' | 'wrong' | 'crashed'

/**
 * Judges a JavaScript program on a test case. Programs and validators run in this process: 100
 * processes take ten seconds. Validators write their files to a new folder in `scratch`.
 */
export async function judgeProgram(
  validation: Validation,
  source: string,
  testCase: TestCase,
  scratch: string,
): Promise<Result> {
  if (validation.type === 'interactive') return await judgeTalk(validation, source, testCase, scratch)
  const { output, hasCrashed } = await runOnInput(source, testCase.input)
  if (hasCrashed) return 'crashed'
  if (validation.type === 'default')
    return isRight(output, testCase.expected_output, validation.flags) ? 'accepted' : 'wrong'
  const stdin = new PassThrough()
  const validator = start(readSource(validation), stdin, () => {}, await writeFiles(testCase, scratch))
  stdin.end(output)
  await once(stdin, 'end')
  return await readResult(validator)
}

async function judgeTalk(
  validation: Validation,
  source: string,
  testCase: TestCase,
  scratch: string,
): Promise<Result> {
  const [toValidator, toProgram] = [new PassThrough(), new PassThrough()]
  const ended = once(toValidator, 'close')
  const writeTo = (stream: PassThrough) => (text: string) => void (stream.destroyed || stream.write(text))
  const argv = await writeFiles(testCase, scratch)
  const validator = start(readSource(validation), toValidator, writeTo(toProgram), argv)
  const program = start(source, toProgram, writeTo(toValidator))
  toProgram.once('close', () => toValidator.end())
  await ended
  toProgram.destroy()
  return program.hasCrashed ? 'crashed' : await readResult(validator)
}

interface Started {
  readonly argv: readonly string[]
  exitCode: number | undefined
  /** An exception was not caught. */
  hasCrashed: boolean
}

/** Starts a program. Its process ends with its last event, or with an exception. */
function start(
  source: string,
  stream: PassThrough,
  write: (text: string) => void,
  argv: readonly string[] = [],
): Started {
  const stdin = {
    setEncoding: (encoding: BufferEncoding) => stream.setEncoding(encoding),
    destroy: () => stream.destroy(),
    on: (event: string, listener: (...args: unknown[]) => void) =>
      stream.on(event, (...args) => {
        try {
          listener(...args)
        } catch {
          program.hasCrashed = true
          stream.destroy()
        }
      }),
  }
  const program: Started & { stdin: typeof stdin } = { argv, stdin, exitCode: undefined, hasCrashed: false }
  const log = (...values: unknown[]) => write(`${format(...values)}\n`)
  runInNewContext(source, { process: program, console: { log }, require })
  return program
}

async function runOnInput(source: string, input: string): Promise<{ output: string; hasCrashed: boolean }> {
  const stdin = new PassThrough()
  let output = ''
  const program = start(source, stdin, (text) => {
    output += text
  })
  stdin.end(input)
  await once(stdin, 'close')
  return { output, hasCrashed: program.hasCrashed }
}

/** Returns the arguments of a validator: input, answer and feedback folder. */
async function writeFiles({ input, expected_output }: TestCase, scratch: string): Promise<string[]> {
  const folder = await mkdtemp(join(scratch, 'feedback-'))
  const files = { input: join(scratch, 'input'), answer: join(scratch, 'answer') }
  await Promise.all([writeFile(files.input, input), writeFile(files.answer, expected_output)])
  return ['node', 'validator', files.input, files.answer, `${folder}/`]
}

/** Throws unless the validator has accepted, or rejected with a message for the judges. */
async function readResult({ argv, exitCode }: Started): Promise<Result> {
  if (exitCode === EXIT_CODE_OF_ACCEPTED) return 'accepted'
  const message = await readFile(`${argv[4]}judgemessage.txt`, 'utf8')
  if (exitCode === EXIT_CODE_OF_WRONG && message !== '') return 'wrong'
  throw new Error(`the validator ended with ${exitCode}: ${message}`)
}

/** The program that the script `run` starts. */
function readSource({ files = [] }: Validation): string {
  const run = files.find(({ name }) => name === 'run')?.content
  const program = files.find(({ name }) => name.endsWith('.cjs'))
  if (program === undefined || !run?.includes(program.name))
    throw new Error('only validators in JavaScript are run: other languages may be missing')
  return program.content
}

/** Compares by words; with a tolerance, as numbers. */
function isRight(output: string, expected: string, flags = ''): boolean {
  const [, tolerance = ''] = /^float_tolerance (\S+)$/.exec(flags) ?? []
  if ((flags !== '') !== (tolerance !== '')) throw new Error(`unexpected flags: ${flags}`)
  const [actual, wanted] = [output, expected].map((text) => text.trim().split(/\s+/))
  return (
    actual?.length === wanted?.length &&
    wanted?.every((word, i) => actual?.[i] === word || isWithin(Number(tolerance), actual?.[i], word)) ===
      true
  )
}

function isWithin(tolerance: number, actual: string | undefined, wanted: string): boolean {
  const error = Math.abs(Number(actual) - Number(wanted))
  return tolerance > 0 && (error <= tolerance || error <= tolerance * Math.abs(Number(wanted)))
}
