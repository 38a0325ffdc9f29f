import { describe, expect, it } from 'vitest'
import type { FilesProgram } from '../../src/judging-options.ts'
import { takeFiles } from '../../src/program-files.ts'
import { findDefaultLanguage } from '../support/default-languages.ts'
import { missing, testUnless } from '../support/requirements.ts'
import { judgeOnTests, makeTestCase } from '../support/test-cases.ts'
import { right, shell, useTestWorker } from '../support/test-worker.ts'
import { noBubblewrap, useSandbox } from '../support/use-sandbox.ts'

const limits = { wallSeconds: 300, cpuSeconds: 60, memoryMib: 256 }
const doubles = [makeTestCase('1\n', '2\n'), makeTestCase('21\n', '42\n')]
const unless = (command: string) => testUnless(noBubblewrap ?? missing(command))

const makeProgram = (contents: Readonly<Record<string, string>>, ...sources: string[]): FilesProgram => {
  return { files: Object.entries(contents).map(([name, content]) => ({ name, content })), sources }
}

describe('a program of several files, in bubblewrap', () => {
  const setup = useSandbox({ mode: 'bubblewrap' }, noBubblewrap)
  const judge = (name: string, program: FilesProgram) => {
    const task = { sandbox: setup.sandbox, limits, ...takeFiles(program, findDefaultLanguage(name)) }
    return judgeOnTests(task, doubles)
  }

  unless('python3')('imports modules of Python, and reads files in the working folder', async () => {
    const python = {
      '__main__.py': 'from lib.double import twice\nprint(twice(int(input())))\n',
      'lib/double.py': 'factor = int(open("factor.txt").read())\ndef twice(n): return factor * n\n',
      'factor.txt': '2\n',
    }
    expect(await judge('Python', makeProgram(python, '__main__.py'))).toMatchObject({ status: 'ACCEPTED' })
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
    expect(await judge('Java', program)).toMatchObject({ status: 'ACCEPTED' })
    expect(await judge('Java', { ...program, main_class: 'Other' })).toMatchObject({ status: 'WRONG_ANSWER' })
  })

  testUnless(noBubblewrap)('requires modules of JavaScript; its folder is read-only', async () => {
    const js = {
      'main.js': `console.log(require('./double.js')(Number(require('fs').readFileSync(0, 'utf8'))))\n`,
      'double.js': `const fs = require('fs')
try { fs.writeFileSync('seen', '1') } catch { module.exports = (n) => 2 * n }
`,
    }
    expect(await judge('JavaScript', makeProgram(js, 'main.js'))).toMatchObject({ status: 'ACCEPTED' })
  })

  unless('perl')('finds modules of Perl in the working folder', async () => {
    const perl = {
      'Double.pm': 'package Double; sub twice { return 2 * $_[0] } 1;\n',
      'solve.pl': 'use lib "."; require Double; print Double::twice(scalar <STDIN>), "\\n";\n',
    }
    expect(await judge('Perl', makeProgram(perl, 'solve.pl'))).toMatchObject({ status: 'ACCEPTED' })
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
