import { writeSync } from 'node:fs'
import { PackageError, type PackageFile } from '@judge-data-layer/problem-format/package-files'
import { AppError } from '../http/routing/errors.ts'
import type { Ending, FromProcess, PackageCall, ReadPart, ToProcess } from './call.ts'

/** What a function of the process needs. */
export interface ProcessContext {
  readonly readPart: ReadPart
  /** Notes which file is read from now on: the service names it if it ends the process. */
  readonly note: (file: string) => void
}

/** A function of the process under its name. */
export interface PackageFunction {
  readonly name: string
  readonly run: (input: never) => unknown
}

/** Binds a call to the function that answers it. */
export const answerCall = <I, O>(
  { name }: PackageCall<I, O>,
  run: (input: I) => O | Promise<O>,
): PackageFunction => ({ name, run })

/** A file that the service has stored under an id, as a file of a package. */
export function openStoredFile(
  { readPart, note }: ProcessContext,
  { id, path, bytes }: { readonly id: string; readonly path: string; readonly bytes: number },
): PackageFile {
  const read = async () => {
    note(path)
    const parts: Buffer[] = []
    for (let length = 0; length < bytes; length += parts.at(-1)?.length ?? bytes)
      parts.push((await readPart(id, parts.length)) ?? Buffer.alloc(0))
    return Buffer.concat(parts)
  }
  return { path, bytes, read }
}

/** The file descriptor of the note, which the service opened. */
const NOTE = 3
/** Longer paths are cut: an archive has none. */
const NOTE_BYTES = 1024
/** Above this, the memory of a process may not suffice for the next package. */
const MOST_KEPT_BYTES = 200 * 1024 * 1024

/**
 * Answers the calls of the service, one after another, until the service closes the channel. A
 * process is spent once it has used `cpuSeconds`.
 */
export function serveCalls(
  makeFunctions: (context: ProcessContext) => readonly PackageFunction[],
  cpuSeconds: number,
): void {
  let takePart: ((part: Buffer | undefined) => void) | undefined
  const readPart: ReadPart = (file, number) =>
    new Promise((resolve) => {
      takePart = resolve
      send({ file, number })
    })
  let noted = ''
  const note = (file: string) => {
    noted = file
    const line = Buffer.alloc(NOTE_BYTES)
    line.write(file)
    writeSync(NOTE, line, 0, NOTE_BYTES, 0)
  }
  const functions = makeFunctions({ readPart, note })
  const answer = async (name: string, input: unknown) => {
    const ending = await run(functions, name, input, () => noted)
    note('')
    send({ ...ending, isSpent: 'failure' in ending || isSpent(cpuSeconds) })
  }
  process.on('message', (message: ToProcess) => {
    if ('call' in message) void answer(message.call, message.input)
    else takePart?.(message.part && Buffer.from(message.part))
  })
  process.on('disconnect', () => process.exit())
}

const send = (message: FromProcess) => void process.send?.(message)

async function run(
  functions: readonly PackageFunction[],
  name: string,
  input: unknown,
  noted: () => string,
): Promise<Ending> {
  try {
    const found = functions.find((one) => one.name === name)
    if (found === undefined) throw new Error(`there is no function ${name}`)
    // The name determines the type.
    return { result: await found.run(input as never) }
  } catch (err) {
    if (err instanceof PackageError || (err instanceof AppError && err.kind === 'VALIDATION'))
      return { fault: err.message }
    if (isOutOfMemory(err)) return { fault: `${noted()}: reading it takes too much memory` }
    return { failure: err instanceof Error ? (err.stack ?? err.message) : String(err) }
  }
}

const NO_MEMORY = ['ERR_MEMORY_ALLOCATION_FAILED', 'ERR_STRING_TOO_LONG', 'Z_MEM_ERROR', 'ENOMEM']

/** V8 reports texts, arrays and stacks that are too large as a `RangeError`. */
const isOutOfMemory = (err: unknown) => err instanceof RangeError || NO_MEMORY.includes(Object(err).code)

function isSpent(cpuSeconds: number): boolean {
  const { user, system } = process.cpuUsage()
  return user + system > cpuSeconds * 1e6 || process.memoryUsage.rss() > MOST_KEPT_BYTES
}
