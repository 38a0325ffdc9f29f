import { randomUUID } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect } from 'vitest'
import { makeTemporaryFolder } from '../../../../test/support/temporary-folder.ts'
import type { Limits, PairRequest, RunCommand } from '../../src/sandbox/sandbox.ts'
import { readFeedbackFile } from '../../src/validation/feedback.ts'
import { missing, testUnless } from '../support/requirements.ts'
import { MIB, noBubblewrap, useSandbox, limits as usualLimits } from '../support/use-sandbox.ts'
import { findBelongings, findProcessesWith } from './traces.ts'

const limits: Limits = { ...usualLimits, memoryBytes: 256 * MIB, fileBytes: 16 * MIB, processes: 32 }
const noPair = noBubblewrap ?? missing('/usr/bin/perl')
const testPair = testUnless(noPair)

const DEAF = `$SIG{PIPE} = 'IGNORE'; $SIG{TERM} = 'IGNORE'; $SIG{HUP} = 'IGNORE';`
const FLOOD = `${DEAF} while (1) { syswrite STDOUT, 'x' x 65536 }`
const SLEEP = `${DEAF} sleep 1 while 1`
const READ_ALL = `$_ = length(join '', <STDIN>);`

const opened = useSandbox({ mode: 'bubblewrap' }, noPair)
const own = await makeTemporaryFolder()
const files = { input: join(own, 'input'), answer: join(own, 'answer') }
let atStart: readonly string[]
const secret = `secret-${randomUUID()}`

beforeAll(async () => {
  if (noPair !== undefined) return
  for (const path of Object.values(files)) await writeFile(path, secret, { mode: 0o644 })
  atStart = findBelongings()
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
    const result = await opened.sandbox.runPair({
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
    for (const folder of [program, validator]) await opened.sandbox.removeFolder(folder)
  }
}

async function makeFolder(): Promise<string> {
  const folder = await opened.sandbox.createFolder()
  await opened.sandbox.makeSubfolder(folder, 'feedback')
  return folder
}

const forkAway = `use POSIX; if (fork == 0) { POSIX::setsid(); fork; ${SLEEP} } syswrite STDOUT, 'last'; exit 3`
const onBrokenPipe = '$| = 1; $SIG{PIPE} = sub { exit 43 }; print "x" x 1024 while 1'

const attacks: Record<string, [Sides, { program: object; validator: object; endedFirst?: string }]> = {
  'a program that writes for ever is stopped at its output limit': [
    { program: FLOOD, validator: `${READ_ALL} exit 43` },
    { program: { exceeded: 'output' }, validator: { exitCode: 43 }, endedFirst: 'program' },
  ],
  'a program that never reads is stopped at its wall limit while the validator waits': [
    { program: SLEEP, programLimits: { wallMs: 800 }, validator: onBrokenPipe },
    { program: { exceeded: 'time' }, validator: { exceeded: undefined, exitCode: 43 } },
  ],
  'a program that leaves a process with its pipes is over for the validator too': [
    { program: forkAway, validator: `${READ_ALL} exit($_ == 4 ? 42 : 1)` },
    { program: { exitCode: 3 }, validator: { exceeded: undefined, exitCode: 42 }, endedFirst: 'program' },
  ],
  'a program that forks for ever is stopped, and the validator is not': [
    {
      ...{ program: `${DEAF} while (1) { fork }`, programLimits: { wallMs: 800 } },
      validator: `${READ_ALL} exit 43`,
    },
    { program: { exceeded: 'time' }, validator: { exceeded: undefined, exitCode: 43 } },
  ],
  'a validator that writes for ever is stopped at its output limit': [
    { program: `${READ_ALL} exit 0`, validator: FLOOD },
    { program: { exitCode: 0 }, validator: { exceeded: 'output' }, endedFirst: 'validator' },
  ],
  'a validator that never reads is stopped at its wall limit after the program': [
    { program: FLOOD, programLimits: { wallMs: 500 }, validator: SLEEP, validatorLimits: { wallMs: 1000 } },
    { program: { exceeded: 'time' }, validator: { exceeded: 'time' } },
  ],
  'a validator that writes on after the end of the program is stopped at its own limit': [
    { program: 'exit 0', validator: FLOOD, validatorLimits: { cpuMs: 300 } },
    { program: { exitCode: 0 }, validator: { exceeded: 'time' }, endedFirst: 'program' },
  ],
  'a validator that forks and leaves processes ends with its exit code': [
    { program: `${READ_ALL} exit 0`, validator: `for (1 .. 5) { if (fork == 0) { ${SLEEP} } } exit 42` },
    { program: { exitCode: 0 }, validator: { exitCode: 42 }, endedFirst: 'validator' },
  ],
}
for (const [title, [sides, expected]] of Object.entries(attacks))
  testPair(title, async () => expect(await runPair(sides)).toMatchObject(expected))

describe('a hostile program', () => {
  testPair('that ignores all signals is ended with the verdict', async () => {
    const ignore = `$SIG{$_} = 'IGNORE' for qw(PIPE TERM INT HUP); ${SLEEP}`
    const { program, endedFirst } = await runPair(
      { program: ignore, validator: 'exit 43' },
      { endProgram: () => true },
    )
    expect([program.exceeded, typeof program.signal, endedFirst]).toEqual([undefined, 'string', 'validator'])
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

describe('a feedback folder', () => {
  const fillings = {
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
  for (const [name, code] of Object.entries(fillings)) {
    testPair(`with ${name} is read and emptied`, async () => {
      const folder = await opened.sandbox.createFolder()
      const feedback = await opened.sandbox.makeSubfolder(folder, 'feedback')
      const run = (script: string) =>
        opened.sandbox.run({
          ...{ argv: ['/usr/bin/perl', '-e', `chdir '/app/feedback'; ${script}`], folder, writable: false },
          ...{ writableFolders: ['feedback'], stdin: '', environment: {}, limits },
        })
      expect(await run(`${code}; exit 42`)).toMatchObject({ exitCode: 42, exceeded: undefined })
      expect((await readdir(feedback)).length).toBeGreaterThan(0)
      for (const file of ['judgemessage.txt', 'teammessage.txt', 'score.txt'])
        expect((await readFeedbackFile(feedback, file, 100)) ?? '').toMatch(/^x*(\n\[cut\])?$/)
      await opened.sandbox.makeSubfolder(folder, 'feedback')
      expect(await readdir(feedback)).toEqual([])
      await run(`open my $f, '>', 'judgemessage.txt'; print $f 'written'`)
      const message = await readFeedbackFile(feedback, 'judgemessage.txt', 100)
      expect(message).toBe('written')
      await opened.sandbox.removeFolder(folder)
    })
  }

  testPair('leaves nothing on the judge', async () => {
    await expect.poll(() => findBelongings().filter((item) => !atStart.includes(item))).toEqual([])
  })
})
