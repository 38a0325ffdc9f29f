import { execFile, execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readClassFile } from '../../src/programs/class-file.ts'
import { findMainClass } from '../../src/programs/main-class.ts'
import { missing, testUnless } from '../support/requirements.ts'

const noJavac = missing('javac')
const PUBLIC = 1
const STATIC = 8
const MAIN = '([Ljava/lang/String;)V'

const execute = promisify(execFile)
/** Compiles `Main.java` in each folder; a JVM for each would take a second. */
const COMPILE_ALL = `
import javax.tools.ToolProvider;
public class CompileAll {
  public static void main(String[] folders) {
    for (String folder : folders)
      if (ToolProvider.getSystemJavaCompiler()
          .run(null, null, null, "-encoding", "UTF-8", "-d", folder, folder + "/Main.java") != 0) System.exit(1);
  }
}`

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'main-class-test-'))
})
// Node.js cannot delete folders deeper than the longest path.
afterEach(() => execFileSync('rm', ['-rf', folder]))

const u1 = (value: number) => Buffer.from([value])
const u2 = (value: number) => Buffer.from([value >> 8, value & 255])
const u4 = (value: number) => Buffer.concat([u2(value >>> 16), u2(value & 65535)])
const utf8 = (text: string) => Buffer.concat([u1(1), u2(Buffer.byteLength(text)), Buffer.from(text)])

function makeClass({ name = 'Main', access = PUBLIC } = {}): Buffer {
  const attribute = [u2(1), u2(3), u4(5), Buffer.from('12345')]
  return Buffer.concat([
    ...[u4(0xcafebabe), u2(0), u2(61), u2(10)],
    ...[utf8(name), u1(7), u2(1), utf8('main'), utf8(MAIN)],
    // A long takes two indexes: 5 and 6.
    ...[u1(5), u4(0), u4(7), utf8('java/lang/Object'), u1(7), u2(7), utf8('Other')],
    ...[u2(access), u2(2), u2(8), u2(1), u2(8)],
    ...[u2(1), u2(0), u2(3), u2(4), ...attribute],
    ...[u2(1), u2(PUBLIC | STATIC), u2(3), u2(4), ...attribute],
    ...attribute,
  ])
}

async function write(path: string, bytes: Buffer = makeClass({ name: path })): Promise<void> {
  const file = join(folder, `${path}.class`)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, bytes)
}

const main = 'public static void main(String[] args) { System.out.println("started"); }'
const compiled: [string, string, string | undefined][] = [
  ['without a package', `public class Main { ${main} }`, 'Main'],
  ['in a package', `package org.example; public class Main { ${main} }`, 'org.example.Main'],
  ['with another name', `class Solution { ${main} } class Helper { }`, 'Solution'],
  ['named Main, among several', `class Alpha { ${main} } class Main { ${main} }`, 'Main'],
  [
    'with the only main method, though another class is public',
    `class Alpha { ${main} } public class Main { } class Beta { }`,
    'Alpha',
  ],
  ['in a class with nested classes', `class Zeta { ${main} static class Alpha { ${main} } }`, 'Zeta'],
  ['nested in another', `class Outer { public static class Inner { ${main} } }`, 'Outer$Inner'],
  ['that is an interface', `interface Start { static ${main.replace('public static', '')} }`, 'Start'],
  ['with String...', `public class Main { ${main.replace('String[]', 'String...')} }`, 'Main'],
  ['with letters beyond ASCII', `class Größe { ${main} }`, 'Größe'],
  [
    'with constants of every kind',
    `record Main(long a, double b) { ${main} Object o() { return (Runnable) () -> { }; } }`,
    'Main',
  ],
  [
    'only if its main method is right',
    `class A { public void main(String[] a) { } } class B { static void main(String[] a) { } }
     class C { public static void main(String a) { } }
     class D { public static int main(String[] a) { return 0; } }`,
    undefined,
  ],
]
testUnless(noJavac)('the output of javac has the main class that is found, and starts with it', async () => {
  await writeFile(join(folder, 'CompileAll.java'), COMPILE_ALL)
  for (const [index, [, source]] of compiled.entries()) {
    await mkdir(join(folder, String(index)))
    await writeFile(join(folder, String(index), 'Main.java'), source)
  }
  await execute('java', ['CompileAll.java', ...compiled.keys()].map(String), { cwd: folder })
  const found = compiled.map((_, index) => findMainClass(join(folder, String(index))))
  const titles = compiled.map(([title]) => title)
  const named = (names: (string | undefined)[]) => titles.map((title, index) => [title, names[index]])
  expect(named(await Promise.all(found))).toEqual(named(compiled.map(([, , name]) => name)))
  const env = { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' }
  const starts = compiled.map(async ([, , name], index) => {
    if (name === undefined) return 'started\n'
    const options = ['-XX:TieredStopAtLevel=1', '-Xshare:auto', '-cp', join(folder, String(index)), name]
    return (await execute('java', options, { env })).stdout
  })
  expect(await Promise.all(starts)).toEqual(compiled.map(() => 'started\n'))
})

it('the choice among several classes prefers Main in the shortest package, then a public class, then the first name', async () => {
  for (const empty of [folder, join(folder, 'none')]) expect(await findMainClass(empty)).toBeUndefined()
  for (const [path, access] of [
    ['b/C', 0],
    ['b/B', 0],
    ['z/Public', PUBLIC],
    ['a/b/Main', PUBLIC],
    ['c/Main', 0],
  ] as const) {
    await write(path, makeClass({ name: path, access }))
    expect(await findMainClass(folder)).toBe(path.replaceAll('/', '.'))
  }
})

describe('a hostile folder', () => {
  it('never follows links to files or folders, skips a class whose path differs from its name, and names that are not UTF-8', async () => {
    await write('elsewhere/x', makeClass({ name: 'Main' }))
    await write('elsewhere/Start', makeClass({ name: 'p/Start' }))
    await symlink('elsewhere/x.class', join(folder, 'Main.class'))
    await symlink('elsewhere', join(folder, 'p'))
    await symlink('.', join(folder, 'elsewhere', 'loop'))
    await write('org/Main', makeClass({ name: 'Main' }))
    await write('other', makeClass({ name: 'org/example/Main' }))
    await write('main', makeClass({ name: 'Main' }))
    // No other file is opened in place of one whose name is not UTF-8.
    await write('target/Main', makeClass({ name: '\ufffd/Main' }))
    await mkdir(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff])]))
    await symlink('target', join(folder, '\ufffd'))
    expect(await findMainClass(folder)).toBeUndefined()
  })

  it('never waits for a FIFO, and skips folders named like class files, and class files above 1 MiB', async () => {
    execFileSync('mkfifo', [join(folder, 'Main.class')])
    await mkdir(join(folder, 'Other.class'))
    await write('Start')
    await write('large/Main')
    await truncate(join(folder, 'large', 'Main.class'), 2 ** 20 + 1)
    expect(await findMainClass(folder)).toBe('Start')
  })

  it.each(['-version', '@arguments', 'a b', 'a.b', 'Ma\nin', '1a', 'a-b'])(
    'skips the name %j, which is not a Java identifier',
    async (name) => {
      await write(name)
      await write(`${name}/Main`)
      expect(await findMainClass(folder)).toBeUndefined()
    },
  )

  it('reads packages to a depth of 64, beside folders that are deeper than the longest path', async () => {
    const nested = (depth: number) => `${'d/'.repeat(depth)}Main`
    await write(nested(65))
    expect(await findMainClass(folder)).toBeUndefined()
    await write(nested(64))
    execFileSync('mkdir', ['-p', 'd/'.repeat(2100)], { cwd: folder })
    expect(await findMainClass(folder)).toBe(nested(64).replaceAll('/', '.'))
  })

  it('stops after 10,000 entries, and after 64 MiB of class files', async () => {
    await write('sub/Main')
    for (const [end, count, bytes] of [
      ['', 10_001, 0],
      ['.class', 65, 2 ** 20],
    ] as const) {
      const files = Array.from({ length: count }, (_, index) => join(folder, `x${index}${end}`))
      for (const file of files) writeFileSync(file, '')
      for (const file of files) await truncate(file, bytes)
      expect(await findMainClass(folder)).toBeUndefined()
      await Promise.all(files.map((file) => rm(file)))
    }
    expect(await findMainClass(folder)).toBe('sub.Main')
  })
})

describe('a class file written by hand', () => {
  const good = makeClass()

  it('is refused if it is truncated at any byte, or continues after its end', () => {
    for (let length = 0; length < good.length; length++)
      expect(readClassFile(good.subarray(0, length))).toBeUndefined()
    expect(readClassFile(Buffer.concat([good, u1(0)]))).toBeUndefined()
  })

  it('is never read beyond its end, with any wrong byte', () => {
    for (let index = 0; index < good.length; index++)
      for (const value of [0, 1, 2, 127, 255]) {
        const changed = Buffer.from(good)
        changed[index] = value
        expect(() => readClassFile(changed)).not.toThrow()
      }
  })
  it.each([
    ['no magic number', 0, u4(0xcafed00d)],
    ['an unknown constant', 10, u1(2)],
    ['a constant that refers to itself', 10, Buffer.concat([u1(7), u2(1)])],
    ['an attribute of 4 GiB', good.length - 9, u4(0xffffffff)],
    ['65,535 attributes', good.length - 13, u2(0xffff)],
  ])('is refused with %s', (_, offset, bytes) => {
    const changed = Buffer.from(good)
    bytes.copy(changed, offset)
    expect(readClassFile(changed)).toBeUndefined()
  })
})
