import type { Schemas } from '@judge-data-layer/client'
import type { Language } from '@judge-data-layer/languages'
import { afterAll, describe, expect, it } from 'vitest'
import { takeFiles } from '../../src/messages/handle-message.ts'
import type { Task } from '../../src/programs/program.ts'
import type { ProgramLimits } from '../../src/programs/program-limits.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { silentLogger } from '../../src/shared/logger.ts'
import { findDefaultLanguage, defaultLanguages as languages } from '../support/default-languages.ts'
import { missing, testUnless } from '../support/requirements.ts'
import { judgeOnTests, makeTestCase } from '../support/test-cases.ts'
import { right, shell, useTestWorker } from '../support/test-worker.ts'
import { noBubblewrap } from '../support/use-sandbox.ts'

/** A program that prints the double of its input, one that does not parse, and one that fails. */
const programs: Readonly<Record<string, readonly string[]>> = {
  C: [
    '#include <stdio.h>\nint main(void) { int n; scanf("%d", &n); printf("%d\\n", 2 * n); }',
    ...['int main(void) {', 'int main(void) { return 3; }'],
  ],
  'C++': [
    '#include <iostream>\nint main() { int n; std::cin >> n; std::cout << 2 * n << std::endl; }',
    ...['int main() {', '#include <stdexcept>\nint main() { throw std::runtime_error("no"); }'],
  ],
  Python: ['print(2 * int(input()))', 'print(', 'raise ValueError("no")'],
  JavaScript: [
    `console.log(2 * Number(require('fs').readFileSync(0, 'utf8')))`,
    ...['const = 1', `throw new Error('no')`],
  ],
  TypeScript: [
    `declare const require: any
const n: number = Number(require('fs').readFileSync(0, 'utf8'))
console.log(2 * n)`,
    ...['const = 1', `throw new Error('no' as string)`],
  ],
  Java: [
    `package org.example;
import java.util.Scanner;
class Doubler { static int twice(int n) { return 2 * n; } }
public class Main {
  public static void main(String[] args) {
    System.out.println(Doubler.twice(new Scanner(System.in).nextInt()));
  }
}`,
    'public class Main {',
    'public class Main { public static void main(String[] args) { throw new IllegalStateException(); } }',
  ],
  'C#': [
    `using System;
class Program { static void Main() { Console.WriteLine(2 * int.Parse(Console.ReadLine())); } }`,
    ...['class Program {', 'class Program { static void Main() { throw new System.Exception("no"); } }'],
  ],
  Go: [
    'package main\nimport "fmt"\nfunc main() { var n int; fmt.Scan(&n); fmt.Println(2 * n) }',
    ...['package main\nfunc main() {', 'package main\nfunc main() { panic("no") }'],
  ],
  Rust: [
    `fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    println!("{}", 2 * line.trim().parse::<i64>().unwrap());
}`,
    ...['fn main() {', 'fn main() { panic!("no"); }'],
  ],
  Kotlin: [
    'fun main() { println(2 * readLine()!!.trim().toInt()) }',
    ...['fun main() {', 'fun main() { throw IllegalStateException("no") }'],
  ],
  Ruby: ['puts 2 * gets.to_i', 'def (', 'raise "no"'],
  PHP: ['<?php echo 2 * intval(fgets(STDIN)), "\\n";', '<?php echo (;', '<?php throw new Exception("no");'],
  Perl: ['print 2 * <STDIN>, "\\n";', 'print (;', 'die "no";'],
  Haskell: [
    'main = interact $ \\s -> show (2 * read s :: Int) ++ "\\n"',
    ...['main = (', 'main = error "no" :: IO ()'],
  ],
  Lua: ['print(2 * io.read("n"))', 'print(', 'error("no")'],
  Pascal: [
    'var n: longint; begin readln(n); writeln(2 * n) end.',
    ...['begin writeln( end.', 'begin halt(3) end.'],
  ],
  Scala: [
    'object Main { def main(args: Array[String]): Unit = println(2 * scala.io.StdIn.readLine().trim.toInt) }',
    'object Main {',
    'object Main { def main(args: Array[String]): Unit = throw new IllegalStateException("no") }',
  ],
  Swift: ['print(2 * Int(readLine()!)!)', 'print(', 'fatalError("no")'],
  R: [`cat(2 * as.integer(readLines('stdin', n = 1)), '\\n', sep = '')`, 'print(', `stop('no')`],
  OCaml: [
    'let () = Scanf.scanf " %d" (fun n -> Printf.printf "%d\\n" (2 * n))',
    ...['let () = (', 'let () = failwith "no"'],
  ],
}

const limits: ProgramLimits = { wallSeconds: 300, cpuSeconds: 60, memoryMib: 256 }
const doubles = [1, 21].map((input) => makeTestCase(`${input}\n`, `${2 * input}\n`))

const sandbox = noBubblewrap ? undefined : await openSandbox({ mode: 'bubblewrap', logger: silentLogger })
afterAll(() => sandbox?.close())

const reasons = new Map(languages.map((language) => [language, findReason(language)]))
const listNames = (isCovered: boolean) => {
  const listed = languages.filter((language) => (reasons.get(language) === undefined) === isCovered)
  return listed.map((language) => language.name).join(', ') || 'none'
}
console.info(`Languages judged: ${listNames(true)}. Left out: ${listNames(false)}.`)

function findReason({ compile, check, run }: Language): string | undefined {
  if (!sandbox) return noBubblewrap
  const commands = [compile, check, run].flatMap((argv) => (argv ? [argv[0]] : []))
  const absent = commands.find((command) => !command.includes('{') && !sandbox.hasCommand(command))
  return absent && `${absent} is not installed`
}

function judge(task: Pick<Task, 'language' | 'sourceCode'>) {
  if (!sandbox) throw new Error('there is no sandbox')
  return judgeOnTests({ ...task, sandbox, limits }, doubles)
}

it('has programs in every language of the default file', () => {
  expect(Object.keys(programs)).toEqual(languages.map((language) => language.name))
  for (const sources of Object.values(programs)) expect(sources).toHaveLength(3)
})

for (const language of languages) {
  const { name } = language
  const [right = '', broken = '', failing = ''] = programs[name] ?? []
  const test = testUnless(reasons.get(language))

  test(`judges a correct, a broken and a failing program in ${name}`, async () => {
    const accepted = await judge({ language, sourceCode: right })
    expect(accepted).toMatchObject({ status: 'ACCEPTED', stdout: '42\n', stderr: '' })
    expect(accepted.test_case_results).toHaveLength(2)
    const stderr = expect.stringMatching(/./)
    const refused = { status: 'COMPILE_TIME_ERROR', test_case_results: [], stderr }
    expect(await judge({ language, sourceCode: broken })).toMatchObject(refused)
    expect(await judge({ language, sourceCode: failing })).toMatchObject({
      ...{ status: 'RUNTIME_ERROR', failed_test_case_id: doubles[0]?.id },
      stderr: expect.stringMatching(/\[(exit code [1-9]|killed by SIG)/),
    })
  })
}

const unless = (command: string) => testUnless(noBubblewrap ?? missing(command))

const makeProgram = (contents: Readonly<Record<string, string>>, ...sources: string[]) => ({
  ...{ files: Object.entries(contents).map(([name, content]) => ({ name, content })), sources },
})

describe('a program of several files, in bubblewrap', () => {
  const judgeFiles = async (name: string, program: Schemas['ProgramFiles']) =>
    (await judge(takeFiles(program, findDefaultLanguage(name)))).status

  unless('python3')('imports modules of Python, and reads files in the working folder', async () => {
    const python = {
      '__main__.py': 'from lib.double import twice\nprint(twice(int(input())))\n',
      'lib/double.py': 'factor = int(open("factor.txt").read())\ndef twice(n): return factor * n\n',
      'factor.txt': '2\n',
    }
    expect(await judgeFiles('Python', makeProgram(python, '__main__.py'))).toBe('ACCEPTED')
  })

  unless('javac')('starts the class Main of Java, or the given one', async () => {
    const print = (factor: string) => `public static void main(String[] words) {
    System.out.println(${factor} * new java.util.Scanner(System.in).nextInt());
  }`
    const java = {
      'Main.java': `public class Main {\n  ${print('Other.FACTOR')}\n}\n`,
      'Other.java': `public class Other {\n  static final int FACTOR = 2;\n  ${print('3')}\n}\n`,
    }
    const program = makeProgram(java, 'Main.java', 'Other.java')
    expect(await judgeFiles('Java', program)).toBe('ACCEPTED')
    expect(await judgeFiles('Java', { ...program, main_class: 'Other' })).toBe('WRONG_ANSWER')
  })

  testUnless(noBubblewrap)('requires modules of JavaScript; its folder is read-only', async () => {
    const js = {
      'main.js': `console.log(require('./double.js')(Number(require('fs').readFileSync(0, 'utf8'))))\n`,
      'double.js': `const fs = require('fs')
try { fs.writeFileSync('seen', '1') } catch { module.exports = (n) => 2 * n }
`,
    }
    expect(await judgeFiles('JavaScript', makeProgram(js, 'main.js'))).toBe('ACCEPTED')
  })

  unless('perl')('finds modules of Perl in the working folder', async () => {
    const perl = {
      'Double.pm': 'package Double; sub twice { return 2 * $_[0] } 1;\n',
      'solve.pl': 'use lib "."; require Double; print Double::twice(scalar <STDIN>), "\\n";\n',
    }
    expect(await judgeFiles('Perl', makeProgram(perl, 'solve.pl'))).toBe('ACCEPTED')
  })
})

describe('the record of a program of several files', () => {
  const worker = useTestWorker()

  it('makes the worker judge these files instead of the source code', async () => {
    const id = worker.service.addSubmission({ ...right, source_code: 'exit 1' })
    const files = { 'start.sh': 'read n; . ./double.sh\n', 'double.sh': 'echo $((2 * n))\n' }
    worker.service.tasks.set(id, { program: makeProgram(files, 'start.sh') })
    await worker.judge(id)
    expect(worker.verdictsOf(id)).toMatchObject([{ status: 'ACCEPTED' }])
    expect(shell.sourceFile).not.toBe('start.sh')
  })
})
