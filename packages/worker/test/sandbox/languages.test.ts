import type { Language } from '@judge-data-layer/languages'
import { afterAll, expect, it } from 'vitest'
import { silentLogger } from '../../src/logger.ts'
import type { ProgramLimits } from '../../src/program.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import type { Verdict } from '../../src/verdict.ts'
import { defaultLanguages as languages } from '../support/default-languages.ts'
import { testUnless } from '../support/requirements.ts'
import { missingSandbox } from '../support/sandboxes.ts'
import { judgeOnTests, makeTestCase } from '../support/test-cases.ts'

interface Programs {
  /** Reads a number and prints its double. */
  readonly right: string
  /** Does not parse. */
  readonly broken: string
  /** Parses, but fails when it runs. */
  readonly failing: string
}

const programs: Readonly<Record<string, Programs>> = {
  C: {
    right: '#include <stdio.h>\nint main(void) { int n; scanf("%d", &n); printf("%d\\n", 2 * n); }',
    broken: 'int main(void) {',
    failing: 'int main(void) { return 3; }',
  },
  'C++': {
    right: '#include <iostream>\nint main() { int n; std::cin >> n; std::cout << 2 * n << std::endl; }',
    broken: 'int main() {',
    failing: '#include <stdexcept>\nint main() { throw std::runtime_error("no"); }',
  },
  Python: { right: 'print(2 * int(input()))', broken: 'print(', failing: 'raise ValueError("no")' },
  JavaScript: {
    right: `console.log(2 * Number(require('fs').readFileSync(0, 'utf8')))`,
    broken: 'const = 1',
    failing: `throw new Error('no')`,
  },
  TypeScript: {
    right: `declare const require: any
const n: number = Number(require('fs').readFileSync(0, 'utf8'))
console.log(2 * n)`,
    broken: 'const = 1',
    failing: `throw new Error('no' as string)`,
  },
  Java: {
    right: `package org.example;
import java.util.Scanner;
class Doubler { static int twice(int n) { return 2 * n; } }
public class Main {
  public static void main(String[] args) { System.out.println(Doubler.twice(new Scanner(System.in).nextInt())); }
}`,
    broken: 'public class Main {',
    failing:
      'public class Main { public static void main(String[] args) { throw new IllegalStateException(); } }',
  },
  'C#': {
    right: `using System;
class Program { static void Main() { Console.WriteLine(2 * int.Parse(Console.ReadLine())); } }`,
    broken: 'class Program {',
    failing: 'class Program { static void Main() { throw new System.Exception("no"); } }',
  },
  Go: {
    right: 'package main\nimport "fmt"\nfunc main() { var n int; fmt.Scan(&n); fmt.Println(2 * n) }',
    broken: 'package main\nfunc main() {',
    failing: 'package main\nfunc main() { panic("no") }',
  },
  Rust: {
    right: `fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    println!("{}", 2 * line.trim().parse::<i64>().unwrap());
}`,
    broken: 'fn main() {',
    failing: 'fn main() { panic!("no"); }',
  },
  Kotlin: {
    right: 'fun main() { println(2 * readLine()!!.trim().toInt()) }',
    broken: 'fun main() {',
    failing: 'fun main() { throw IllegalStateException("no") }',
  },
  Ruby: { right: 'puts 2 * gets.to_i', broken: 'def (', failing: 'raise "no"' },
  PHP: {
    right: '<?php echo 2 * intval(fgets(STDIN)), "\\n";',
    broken: '<?php echo (;',
    failing: '<?php throw new Exception("no");',
  },
  Perl: { right: 'print 2 * <STDIN>, "\\n";', broken: 'print (;', failing: 'die "no";' },
  Haskell: {
    right: 'main = interact $ \\s -> show (2 * read s :: Int) ++ "\\n"',
    broken: 'main = (',
    failing: 'main = error "no" :: IO ()',
  },
  Lua: { right: 'print(2 * io.read("n"))', broken: 'print(', failing: 'error("no")' },
  Pascal: {
    right: 'var n: longint; begin readln(n); writeln(2 * n) end.',
    broken: 'begin writeln( end.',
    failing: 'begin halt(3) end.',
  },
  Scala: {
    right:
      'object Main { def main(args: Array[String]): Unit = println(2 * scala.io.StdIn.readLine().trim.toInt) }',
    broken: 'object Main {',
    failing: 'object Main { def main(args: Array[String]): Unit = throw new IllegalStateException("no") }',
  },
  Swift: { right: 'print(2 * Int(readLine()!)!)', broken: 'print(', failing: 'fatalError("no")' },
  R: {
    right: `cat(2 * as.integer(readLines('stdin', n = 1)), '\\n', sep = '')`,
    broken: 'print(',
    failing: `stop('no')`,
  },
  OCaml: {
    right: 'let () = Scanf.scanf " %d" (fun n -> Printf.printf "%d\\n" (2 * n))',
    broken: 'let () = (',
    failing: 'let () = failwith "no"',
  },
}

const limits: ProgramLimits = { wallSeconds: 300, cpuSeconds: 60, memoryMib: 256 }
const doubles = [1, 21].map((input) => makeTestCase(`${input}\n`, `${2 * input}\n`))

const noBubblewrap = await missingSandbox('bubblewrap')
const sandbox = noBubblewrap ? undefined : await openSandbox({ mode: 'bubblewrap', logger: silentLogger })
afterAll(() => sandbox?.close())

const reasons = new Map(languages.map((language) => [language, findReason(language)]))
const listNames = (isCovered: boolean) =>
  languages
    .filter((language) => (reasons.get(language) === undefined) === isCovered)
    .map((language) => language.name)
    .join(', ')
console.info(`Languages judged: ${listNames(true) || 'none'}. Left out: ${listNames(false) || 'none'}.`)

/** The reason to leave out a language; undefined if it is installed. */
function findReason({ compile, check, run }: Language): string | undefined {
  if (!sandbox) return noBubblewrap
  const commands = [compile, check, run].flatMap((argv) => (argv ? [argv[0]] : []))
  const absent = commands.find((command) => !command.includes('{') && !sandbox.hasCommand(command))
  return absent && `${absent} is not installed`
}

function judge(language: Language, sourceCode: string): Promise<Verdict> {
  if (!sandbox) throw new Error('there is no sandbox')
  return judgeOnTests({ sandbox, language, sourceCode, limits }, doubles)
}

it('has programs in every language of the default file', () => {
  expect(Object.keys(programs)).toEqual(languages.map((language) => language.name))
})

for (const language of languages) {
  const { name } = language
  const unlessMissing = testUnless(reasons.get(language))
  const { right = '', broken = '', failing = '' } = programs[name] ?? {}

  unlessMissing(`accepts a correct program in ${name}`, async () => {
    const verdict = await judge(language, right)
    expect(verdict).toMatchObject({ status: 'ACCEPTED', stdout: '42\n', stderr: '' })
    expect(verdict.test_case_results).toHaveLength(2)
  })

  unlessMissing(`refuses a program in ${name} with a syntax error before any test`, async () => {
    const verdict = await judge(language, broken)
    expect(verdict).toMatchObject({ status: 'COMPILE_TIME_ERROR', test_case_results: [] })
    expect(verdict.stderr).not.toBe('')
  })

  unlessMissing(`reports a program in ${name} that fails`, async () => {
    const verdict = await judge(language, failing)
    expect(verdict).toMatchObject({ status: 'RUNTIME_ERROR', failed_test_case_id: doubles[0]?.id })
    expect(verdict.stderr).toMatch(/\[(exit code [1-9]|killed by SIG)/)
  })
}
