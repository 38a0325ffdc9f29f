import { beforeAll, describe, expect } from 'vitest'
import type { Limits, PairRequest } from '../../src/sandbox/sandbox.ts'
import { findProcesses } from '../support/processes.ts'
import { limits, MIB, makeMark, obstacleTo, useSandbox } from '../support/use-sandbox.ts'
import { waitFor } from '../support/wait.ts'

describe.each([
  { name: 'bubblewrap, with control groups if possible', mode: 'bubblewrap', cgroups: true },
  { name: 'unsandboxed, without control groups', mode: 'unsandboxed', cgroups: false },
] as const)('a pair in $name', ({ mode, cgroups }) => {
  const opened = useSandbox({ mode, cgroups })
  const { testRun: testPair } = opened
  let folders: [string, string]
  beforeAll(async () => {
    if (obstacleTo(mode) === undefined)
      folders = [await opened.sandbox.createFolder(), await opened.sandbox.createFolder()]
  })

  type Sides = { program: string; validator: string }
  type More = Partial<PairRequest> & { programLimits?: Partial<Limits>; validatorLimits?: Partial<Limits> }

  const run = ({ program, validator }: Sides, { programLimits, validatorLimits, ...more }: More = {}) => {
    const make = (code: string, folder: string, changes: Partial<Limits> = {}) => ({
      ...{ argv: ['/bin/sh', '-c', code] as const, folder, writable: false, environment: {} },
      limits: { ...limits, ...changes },
    })
    return opened.sandbox.runPair({
      program: make(program, folders[0], programLimits),
      validator: make(validator, folders[1], validatorLimits),
      ...{ transcriptBytes: 1000, ...more },
    })
  }

  testPair('reads each other, and ends with both results and a transcript', async () => {
    const { program, validator, transcript, ...result } = await run({
      program: 'read a; echo "got $a"; printf half; read b; echo " $b" >&2; exit 3',
      validator: 'echo hello; read a; head -c 4 >/dev/null; echo end; echo "$a" >&2; cat; exit 42',
    })
    expect(result).toEqual({ endedFirst: 'program', isTranscriptCut: false })
    expect(program).toMatchObject({ exitCode: 3, stdoutBytes: 14, stderr: Buffer.from(' end\n') })
    expect(validator).toMatchObject({ exitCode: 42, stdoutBytes: 10, stderr: Buffer.from('got hello\n') })
    expect(transcript.toString()).toBe('<hello\n>got hello\n>half\n<end\n')
  })

  testPair('shows the end of the program after all its output; a long transcript is cut', async () => {
    const { validator, endedFirst, transcript, isTranscriptCut } = await run({
      program: 'head -c 500000 /dev/zero; exit 1',
      validator: 'wc -c >&2; exit 43',
    })
    expect([isTranscriptCut, transcript.length]).toEqual([true, 1000])
    expect([validator.stderr.toString().trim(), validator.exitCode]).toEqual(['500000', 43])
    expect(endedFirst).toBe('program')
  })

  testPair('shows the end of the validator to the program, and drops what it writes later', async () => {
    const { program, transcript, endedFirst } = await run({
      program: 'cat >&2; head -c 500000 /dev/zero && echo written >&2; exit 0',
      validator: 'echo last; exit 42',
    })
    expect([program.stderr.toString(), program.exitCode]).toEqual(['last\nwritten\n', 0])
    expect([transcript.toString(), endedFirst]).toEqual(['<last\n', 'validator'])
    const piped = await run({ program: 'exec yes', validator: 'exit 42' })
    expect([piped.program.exceeded, piped.endedFirst]).toEqual(['output', 'validator'])
  })

  testPair('shows a closed stdout or stdin of a program that goes on', async () => {
    const { program, validator } = await run({
      program: 'echo last; exec 1>&-; cat >&2; exit 5',
      validator: 'cat >&2; echo after; exit 42',
    })
    expect([validator.stderr.toString(), program.stderr.toString()]).toEqual(['last\n', 'after\n'])
    const sides = { program: 'exec 0<&-; echo closed; exec sleep 600', validator: 'read a; exec yes' }
    const closedInput = await run(sides, { endProgram: () => true })
    expect([closedInput.validator.signal, closedInput.endedFirst]).toEqual(['SIGPIPE', 'validator'])
  })

  testPair('opens its streams by path', async () => {
    const { validator, transcript } = await run({
      program: 'cat /dev/stdin > /dev/stdout',
      validator: 'echo by path > /dev/stdout; read a < /dev/stdin; echo "$a" >&2; exit 42',
    })
    expect(validator.stderr.toString()).toBe('by path\n')
    expect(transcript.toString()).toBe('<by path\n>by path\n')
  })

  testPair('takes little from a program while the validator does not read', async () => {
    const { program, validator } = await run(
      { program: 'exec yes', validator: 'exec sleep 600' },
      { programLimits: { wallMs: 1500 }, validatorLimits: { wallMs: 2500 } },
    )
    expect([program.exceeded, validator.exceeded]).toEqual(['time', 'time'])
    expect(program.stdoutBytes).toBeLessThan(MIB / 2)
  })

  testPair('ends both when the signal is aborted or one cannot be started', async () => {
    const controller = new AbortController()
    const [first, second] = [makeMark(), makeMark()]
    const sleeping = { program: `sleep ${first}`, validator: `sleep ${second}` }
    const running = run(sleeping, { signal: controller.signal })
    running.catch(() => undefined)
    await waitFor('both', () => findProcesses(first).length > 0 && findProcesses(second).length > 0)
    controller.abort(new Error('aborted'))
    await expect(running).rejects.toThrow('aborted')
    expect([...findProcesses(first), ...findProcesses(second)]).toEqual([])
    await expect(run(sleeping, { signal: controller.signal })).rejects.toThrow('aborted')
    const gone = { argv: ['/bin/true'] as const, folder: '/nowhere', writable: true, environment: {}, limits }
    await expect(run(sleeping, { validator: gone })).rejects.toThrow()
    expect(findProcesses(first)).toEqual([])
  })

  testPair('passes the gate once: pairs and runs alone do not wait for each other for ever', async () => {
    const pairs = Array.from({ length: 3 }, (_, place) =>
      run({ program: 'read a', validator: 'echo go; exit 42' }, { alone: place === 1 }),
    )
    expect((await Promise.all(pairs)).map(({ validator }) => validator.exitCode)).toEqual([42, 42, 42])
  })
})
