import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { readFeedbackFile } from '../../src/feedback.ts'
import { silentLogger } from '../../src/logger.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import type { Limits, PairRequest, RunCommand, Sandbox } from '../../src/sandbox/sandbox.ts'
import { missing, testUnless } from '../support/requirements.ts'
import { missingSandbox } from '../support/sandboxes.ts'
import { findBelongings, findProcessesWith } from './traces.ts'

const MIB = 2 ** 20
const SPIN_MS = 300
const limits: Limits = {
  wallMs: 300_000,
  cpuMs: 60_000,
  memoryBytes: 256 * MIB,
  outputBytes: MIB,
  fileBytes: 16 * MIB,
  processes: 32,
}
const testPair = testUnless((await missingSandbox('bubblewrap')) ?? missing('/usr/bin/perl'))

const DEAF = `$SIG{PIPE} = 'IGNORE'; $SIG{TERM} = 'IGNORE'; $SIG{HUP} = 'IGNORE';`
const FLOOD = `${DEAF} while (1) { syswrite STDOUT, 'x' x 65536 }`
const SLEEP = `${DEAF} sleep 1 while 1`
const READ_ALL = `$_ = length(join '', <STDIN>); print STDERR 'read';`

let sandbox: Sandbox
let own: string
let files: { readonly input: string; readonly answer: string }
let atStart: readonly string[]
const secret = `secret-${randomUUID()}`

beforeAll(async () => {
  if ((await missingSandbox('bubblewrap')) !== undefined) return
  own = await mkdtemp(join(tmpdir(), 'judge-pair-'))
  files = { input: join(own, 'input'), answer: join(own, 'answer') }
  for (const path of Object.values(files)) await writeFile(path, secret, { mode: 0o644 })
  sandbox = await openSandbox({ mode: 'bubblewrap', logger: silentLogger })
  atStart = findBelongings()
})
afterAll(async () => {
  await sandbox?.close()
  if (own !== undefined) await rm(own, { recursive: true })
})

interface Sides {
  readonly program: string
  readonly validator: string
  readonly programLimits?: Partial<Limits>
  readonly validatorLimits?: Partial<Limits>
}

/** Runs two Perl programs in new folders. No process of theirs may be left. */
async function runPair(sides: Sides, more: Partial<PairRequest> = {}) {
  const [program, validator, mark] = [await makeFolder(), await makeFolder(), randomUUID()]
  const make = (folder: string, code: string, changes: Partial<Limits> = {}): RunCommand => ({
    ...{ argv: ['/usr/bin/perl', '-e', code], folder, writable: false },
    ...{ environment: { HOSTILE_MARK: mark }, limits: { ...limits, ...changes } },
  })
  try {
    const result = await sandbox.runPair({
      program: make(program, sides.program, sides.programLimits),
      validator: {
        ...make(validator, sides.validator, sides.validatorLimits),
        ...{ files, writableFolders: ['feedback'] },
      },
      ...{ transcriptBytes: 1000, ...more },
    })
    expect(await findProcessesWith(mark)).toEqual([])
    return result
  } finally {
    for (const folder of [program, validator]) await sandbox.removeFolder(folder)
  }
}

async function makeFolder(): Promise<string> {
  const folder = await sandbox.createFolder()
  await sandbox.makeSubfolder(folder, 'feedback')
  return folder
}

describe('a hostile program', () => {
  testPair('that writes for ever is stopped at its output limit', async () => {
    const { program, validator, endedFirst } = await runPair({
      program: FLOOD,
      validator: `${READ_ALL} exit 43`,
    })
    expect([program.exceeded, validator.exitCode, endedFirst]).toEqual(['output', 43, 'program'])
  })

  testPair('that writes on after the end of the validator is stopped at its output limit', async () => {
    const { program, validator, endedFirst } = await runPair({ program: FLOOD, validator: 'exit 42' })
    expect([program.exceeded, validator.exitCode, endedFirst]).toEqual(['output', 42, 'validator'])
  })

  testPair('that ignores all signals is ended with the verdict', async () => {
    const ignore = `$SIG{$_} = 'IGNORE' for qw(PIPE TERM INT HUP); ${SLEEP}`
    const sides = { program: ignore, validator: 'exit 43' }
    const { program, endedFirst } = await runPair(sides, { endProgram: () => true })
    expect([program.exceeded, program.signal === undefined, endedFirst]).toEqual([
      undefined,
      false,
      'validator',
    ])
  })

  testPair('that never reads is stopped at its wall limit while the validator waits', async () => {
    const { program, validator } = await runPair({
      ...{ program: SLEEP, programLimits: { wallMs: 800 } },
      validator: '$| = 1; $SIG{PIPE} = sub { exit 43 }; print "x" x 1024 while 1',
    })
    expect([program.exceeded, validator.exceeded, validator.exitCode]).toEqual(['time', undefined, 43])
  })

  testPair('that leaves a process with its pipes is over for the validator too', async () => {
    const leave = `use POSIX; if (fork == 0) { POSIX::setsid(); fork; ${SLEEP} } syswrite STDOUT, 'last'; exit 3`
    const { program, validator, endedFirst } = await runPair({
      program: leave,
      validator: `${READ_ALL} print STDERR ' ', $_; exit 42`,
    })
    expect([program.exitCode, validator.exitCode, validator.stderr.toString()]).toEqual([3, 42, 'read 4'])
    expect([validator.exceeded, endedFirst]).toEqual([undefined, 'program'])
  })

  testPair('that forks for ever is stopped, and the validator is not', async () => {
    const { program, validator } = await runPair({
      ...{ program: `${DEAF} while (1) { fork }`, programLimits: { wallMs: 800, cpuMs: 60_000 } },
      validator: `${READ_ALL} exit 43`,
    })
    expect([program.exceeded, validator.exceeded, validator.exitCode]).toEqual(['time', undefined, 43])
  })

  testPair('finds neither the validator nor its files, and changes nothing', async () => {
    const attack = `
      kill 'KILL', -1, grep { $_ != $$ } 1 .. 2000;
      open my $in, '>>', '/dev/stdin' and syswrite $in, "forged\\n";
      for my $file (glob('/app/* /app/.* /proc/[0-9]*/root/app/* /box/* /tmp/*')) {
        next if -d $file;
        print STDERR "GAINED $file\\n";
      }
      for my $pid (grep { $_ != $$ } map { m{/proc/(\\d+)} } glob('/proc/[0-9]*')) {
        open my $f, '<', "/proc/$pid/cmdline" or next;
        print STDERR "GAINED process $pid\\n" if join('', <$f>) =~ /validator-code/;
      }
      open my $m, '<', '/proc/self/mountinfo'; print STDERR 'GAINED mount' if grep { m{ /app/} } <$m>;
      syswrite STDOUT, "done\\n"; exit 0`
    const validator = `# validator-code
      my $line = <STDIN>; open my $f, '<', '/app/answer'; print STDERR "$line", <$f>; exit 42`
    const result = await runPair({ program: attack, validator })
    expect([result.program.exitCode, result.program.stderr.toString()]).toEqual([0, ''])
    expect([result.validator.exitCode, result.validator.stderr.toString()]).toEqual([42, `done\n${secret}`])
  })
})

describe('a hostile validator', () => {
  testPair('that writes for ever is stopped at its output limit', async () => {
    const { program, validator, endedFirst } = await runPair({
      program: `${READ_ALL} exit 0`,
      validator: FLOOD,
    })
    expect([validator.exceeded, program.exitCode, endedFirst]).toEqual(['output', 0, 'validator'])
  })

  testPair('that never reads is stopped at its wall limit after the program', async () => {
    const { program, validator } = await runPair({
      ...{ program: FLOOD, programLimits: { wallMs: 500 } },
      ...{ validator: SLEEP, validatorLimits: { wallMs: 1000 } },
    })
    expect([program.exceeded, validator.exceeded]).toEqual(['time', 'time'])
  })

  testPair('that writes on after the end of the program is stopped at its own limit', async () => {
    const { program, validator, endedFirst } = await runPair({
      program: 'exit 0',
      ...{ validator: FLOOD, validatorLimits: { cpuMs: SPIN_MS } },
    })
    expect([program.exitCode, validator.exceeded, endedFirst]).toEqual([0, 'time', 'program'])
  })

  testPair('that forks and leaves processes ends with its exit code', async () => {
    const { program, validator, endedFirst } = await runPair({
      program: `${READ_ALL} exit 0`,
      validator: `for (1 .. 5) { if (fork == 0) { ${SLEEP} } } exit 42`,
    })
    expect([program.exitCode, validator.exitCode, endedFirst]).toEqual([0, 42, 'validator'])
  })

  testPair('cannot change the input and the answer', async () => {
    const attack = `
      for my $file ('/app/input', '/app/answer') {
        open my $f, '>>', $file and print STDERR 'GAINED write';
        unlink $file and print STDERR 'GAINED unlink';
        chmod 0777, $file and print STDERR 'GAINED chmod';
        utime 1, 1, $file and print STDERR 'GAINED utime';
        link $file, '/app/feedback/linked' and print STDERR 'GAINED link';
      }
      mkdir '/app/new' and print STDERR 'GAINED mkdir';
      exit 42`
    const { validator } = await runPair({ program: 'exit 0', validator: attack })
    expect([validator.exitCode, validator.stderr.toString()]).toEqual([42, ''])
    for (const path of Object.values(files)) expect(await readFile(path, 'utf8')).toBe(secret)
  })
})

describe('a feedback folder', () => {
  const attacks = {
    'links, pipes and sockets': `
      use POSIX; use IO::Socket::UNIX;
      symlink '/etc/passwd', 'judgemessage.txt'; POSIX::mkfifo('teammessage.txt', 0666);
      IO::Socket::UNIX->new(Local => 'score.txt', Listen => 1); symlink '.', 'loop';`,
    'a file as large as it can be': `
      open my $f, '>', 'judgemessage.txt'; $SIG{XFSZ} = 'IGNORE'; 1 while syswrite $f, 'x' x 65536; print 'ok';`,
    'more files than fit': `for (1 .. 20000) { open my $f, '>', "file-$_" or last } mkdir 'judgemessage.txt';`,
    'folders deeper than the longest path': `for (1 .. 3000) { mkdir 'deeper' x 10; chdir 'deeper' x 10 or last }`,
    'closed files and folders': `
      open my $f, '>', 'judgemessage.txt'; chmod 0, 'judgemessage.txt';
      for (1 .. 20) { mkdir 'closed'; chdir 'closed' } chdir '..', chmod 0, 'closed' for 1 .. 19;`,
  }
  for (const [name, code] of Object.entries(attacks)) {
    testPair(`with ${name} is read and emptied`, async () => {
      const folder = await sandbox.createFolder()
      const feedback = await sandbox.makeSubfolder(folder, 'feedback')
      const run = (script: string) =>
        sandbox.run({
          ...{ argv: ['/usr/bin/perl', '-e', `chdir '/app/feedback'; ${script}`], folder, writable: false },
          ...{ writableFolders: ['feedback'], stdin: '', environment: {}, limits },
        })
      expect(await run(`${code}; exit 42`)).toMatchObject({ exitCode: 42, exceeded: undefined })
      expect((await readdir(feedback)).length).toBeGreaterThan(0)
      const texts = await Promise.all(
        ['judgemessage.txt', 'teammessage.txt', 'score.txt'].map((file) =>
          readFeedbackFile(feedback, file, 100),
        ),
      )
      for (const text of texts) expect(text?.text ?? '').toMatch(/^x*$/)
      await sandbox.makeSubfolder(folder, 'feedback')
      expect(await readdir(feedback)).toEqual([])
      await run(`open my $f, '>', 'judgemessage.txt'; print $f 'written'`)
      expect(await readFeedbackFile(feedback, 'judgemessage.txt', 100)).toEqual({
        text: 'written',
        isCut: false,
      })
      await sandbox.removeFolder(folder)
    })
  }

  testPair('leaves nothing on the judge', async () => {
    await expect.poll(() => findBelongings().filter((item) => !atStart.includes(item))).toEqual([])
  })
})
