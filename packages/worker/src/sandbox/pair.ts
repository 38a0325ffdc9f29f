import { createEndOrder } from './end-order.ts'
import type { InputPipe, OutputPipe, Pipes } from './pipes.ts'
import { createRelay } from './relay.ts'
import type { PairRequest, PairResult, RunCommand, RunResult } from './sandbox.ts'
import { createEnds, type Streams } from './streams.ts'

/** Runs a program with these streams. */
export type Start = (
  command: RunCommand,
  streams: Streams,
  signal: AbortSignal | undefined,
) => Promise<RunResult>

interface Side extends InputPipe, OutputPipe {
  closeEnds(): void
}

/** The first character of a line: `>` for a program's output, `<` for a validator's. */
type Mark = '>' | '<'

const NEW_LINE = 10

/** See `Sandbox.runPair`. */
export async function runPair(request: PairRequest, pipes: Pipes, start: Start): Promise<PairResult> {
  request.signal?.throwIfAborted()
  return withSides(pipes, async (program, validator) => {
    const transcript = createTranscript(request.transcriptBytes)
    const order = createEndOrder()
    const toValidator = createRelay({
      ...{ input: validator.input, drains: true, record: (bytes) => transcript.add('>', bytes) },
      ...{ writerEnd: () => order.known('program'), readerEnd: () => order.known('validator') },
    })
    const toProgram = createRelay({
      ...{ input: program.input, drains: false, record: (bytes) => transcript.add('<', bytes) },
      ...{ writerEnd: () => order.known('validator'), readerEnd: () => order.known('program') },
    })
    const stop = new AbortController()
    const failure = new AbortController()
    const signal = AbortSignal.any([failure.signal, ...(request.signal ? [request.signal] : [])])
    const run = async (command: RunCommand, streams: Streams) =>
      start(command, streams, signal).catch((err: unknown) => {
        failure.abort(err)
        throw err
      })
    const runProgram = () => {
      const onEnd = () => order.report('program', () => validator.output.destroy())
      const onStart = (isRunning: () => boolean) => order.start('program', isRunning)
      return run(request.program, makeStreams(program, toValidator, { onStart, onEnd, stop: stop.signal }))
    }
    const runValidator = async () => {
      const onEnd = () => order.report('validator', () => validator.input.destroy())
      const onStart = (isRunning: () => boolean) => order.start('validator', isRunning)
      const result = await run(request.validator, makeStreams(validator, toProgram, { onStart, onEnd }))
      if ((await order.first()) === 'validator' && request.endProgram?.(result)) stop.abort()
      return result
    }
    const results = await Promise.allSettled([runProgram(), runValidator()])
    const [ofProgram, ofValidator] = results
    // The first failure has ended the other run too.
    if (ofProgram.status === 'rejected' || ofValidator.status === 'rejected') throw failure.signal.reason
    return {
      program: { ...ofProgram.value, stdoutBytes: toValidator.countBytes() },
      validator: { ...ofValidator.value, stdoutBytes: toProgram.countBytes() },
      endedFirst: await order.first(),
      ...{ transcript: transcript.read(), isTranscriptCut: transcript.isCut() },
    }
  })
}

/** Opens the pipes of both programs, lets `use` run them, and closes the pipes. */
async function withSides<T>(pipes: Pipes, use: (program: Side, validator: Side) => Promise<T>): Promise<T> {
  const program = await openSide(pipes)
  try {
    const validator = await openSide(pipes)
    return await use(program, validator).finally(() => closeSide(validator))
  } finally {
    closeSide(program)
  }
}

async function openSide(pipes: Pipes): Promise<Side> {
  const ends = createEnds()
  const stdin = await pipes.openInput()
  ends.add(stdin.readEnd)
  try {
    const stdout = await pipes.openOutput()
    ends.add(stdout.writeEnd)
    return { ...stdin, ...stdout, closeEnds: ends.close }
  } catch (err) {
    stdin.input.destroy()
    ends.close()
    throw err
  }
}

function closeSide({ input, output, closeEnds }: Side): void {
  closeEnds()
  input.destroy()
  output.destroy()
}

function makeStreams(
  { readEnd, writeEnd, output, closeEnds }: Side,
  { collect }: Pick<Streams, 'collect'>,
  events: Pick<Streams, 'onStart' | 'onEnd' | 'stop'>,
): Streams {
  return { stdin: readEnd, stdout: writeEnd, output, collect, isConnected: true, closeEnds, ...events }
}

/**
 * What two programs wrote to each other, up to a size limit. Each line begins with its mark. A line
 * is divided where the other side wrote in its middle.
 */
function createTranscript(limitBytes: number) {
  const parts: Buffer[] = []
  let room = limitBytes
  let isCut = false
  /** The mark of the last line unless it is complete. */
  let open: Mark | undefined
  const keep = (bytes: Buffer) => {
    isCut ||= bytes.length > room
    // A copy: a part of a chunk would keep the whole chunk in memory.
    if (room > 0) parts.push(Buffer.from(bytes.subarray(0, room)))
    room = Math.max(0, room - bytes.length)
  }
  return {
    add(mark: Mark, bytes: Buffer): void {
      if (open !== undefined && open !== mark) {
        keep(Buffer.from('\n'))
        open = undefined
      }
      for (let start = 0; start < bytes.length && !isCut; ) {
        const found = bytes.indexOf(NEW_LINE, start)
        const end = found === -1 ? bytes.length : found + 1
        if (open === undefined) keep(Buffer.from(mark))
        keep(bytes.subarray(start, end))
        open = found === -1 ? mark : undefined
        start = end
      }
    },
    read: () => Buffer.concat(parts),
    isCut: () => isCut,
  }
}
