import { once } from 'node:events'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { format } from 'node:util'
import { runInNewContext } from 'node:vm'
import type { DemoProblem, DemoTestCase, DemoValidation } from '../../demo/load-problems.ts'

const require = createRequire(import.meta.url)
const EXIT_CODE_OF_ACCEPTED = 42
const EXIT_CODE_OF_WRONG = 43

type WithValidator = Exclude<DemoValidation, { type: 'default' }>

/**
 * True if a JavaScript program passes a test case. Programs and validators run in this process: 60
 * processes take ten seconds. Validators write their files to a new folder in `scratch`.
 */
export async function passes(
  { validation }: DemoProblem,
  source: string,
  testCase: DemoTestCase,
  scratch: string,
): Promise<boolean> {
  if (validation?.type === 'interactive') return await passesTalk(validation, source, testCase, scratch)
  const output = await runOnInput(source, testCase.input)
  if (validation === undefined) return output === testCase.expected_output
  if (validation.type === 'default')
    return isWithin(readTolerance(validation.flags), output, testCase.expected_output)
  const stdin = new PassThrough()
  const validator = start(readSource(validation), stdin, () => {}, await writeFiles(testCase, scratch))
  stdin.end(output)
  await once(stdin, 'end')
  return await isAccepted(validator)
}

async function passesTalk(
  validation: WithValidator,
  source: string,
  testCase: DemoTestCase,
  scratch: string,
): Promise<boolean> {
  const [toValidator, toProgram] = [new PassThrough(), new PassThrough()]
  const ended = once(toValidator, 'close')
  const writeTo = (stream: PassThrough) => (text: string) => void (stream.destroyed || stream.write(text))
  const argv = await writeFiles(testCase, scratch)
  const validator = start(readSource(validation), toValidator, writeTo(toProgram), argv)
  start(source, toProgram, writeTo(toValidator))
  await ended
  toProgram.destroy()
  return await isAccepted(validator)
}

interface Started {
  readonly argv: readonly string[]
  exitCode: number | undefined
}

/** Starts a program. Its process ends with its last event. */
function start(
  source: string,
  stdin: PassThrough,
  write: (text: string) => void,
  argv: readonly string[] = [],
): Started {
  const program = { argv, stdin, exitCode: undefined }
  const log = (...values: unknown[]) => write(`${format(...values)}\n`)
  runInNewContext(source, { process: program, console: { log }, require })
  return program
}

async function runOnInput(source: string, input: string): Promise<string> {
  const stdin = new PassThrough()
  let output = ''
  start(source, stdin, (text) => {
    output += text
  })
  stdin.end(input)
  await once(stdin, 'end')
  return output
}

/** Returns the arguments of a validator: input, answer and feedback folder. */
async function writeFiles({ input, expected_output }: DemoTestCase, scratch: string): Promise<string[]> {
  const folder = await mkdtemp(join(scratch, 'feedback-'))
  const files = { input: join(scratch, 'input'), answer: join(scratch, 'answer') }
  await Promise.all([writeFile(files.input, input), writeFile(files.answer, expected_output)])
  return ['node', 'validator', files.input, files.answer, `${folder}/`]
}

/** Throws unless the validator has accepted, or rejected with a message for the judges. */
async function isAccepted({ argv, exitCode }: Started): Promise<boolean> {
  if (exitCode === EXIT_CODE_OF_ACCEPTED) return true
  const message = await readFile(`${argv[4]}judgemessage.txt`, 'utf8')
  if (exitCode === EXIT_CODE_OF_WRONG && message !== '') return false
  throw new Error(`the validator ended with ${exitCode}: ${message}`)
}

function readSource({ files: [program], language }: WithValidator): string {
  if (program === undefined || language !== 'JavaScript')
    throw new Error('only validators in JavaScript are run: other languages may be missing')
  return program.content
}

function readTolerance(flags = ''): number {
  const [, tolerance = ''] = /^float_tolerance (\S+)$/.exec(flags) ?? []
  if (tolerance === '') throw new Error(`unexpected flags: ${flags}`)
  return Number(tolerance)
}

function isWithin(tolerance: number, output: string, expected: string): boolean {
  const [actual, wanted] = [output, expected].map((text) => text.trim().split(/\s+/).map(Number))
  return (
    actual?.length === wanted?.length &&
    wanted?.every((number, i) => {
      const error = Math.abs((actual?.[i] ?? Number.NaN) - number)
      return error <= tolerance || error <= tolerance * Math.abs(number)
    }) === true
  )
}
