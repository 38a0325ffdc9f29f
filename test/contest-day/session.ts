import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { TEST_LIMIT_MS } from '../support/limits.ts'

/** The page of the day. */
export const PAGE = new URL('../../docs/run-a-contest.md', import.meta.url)
const SERVICE = 'http://127.0.0.1:5000'
const OMITTED = '…'

/** The variables that the page writes to the service's file of variables. */
export async function readServiceVariables(): Promise<Record<string, string>> {
  const [, name = '', value = ''] =
    /^echo '(\w+)=(.*)' > \S*service\.env$/m.exec(await readFile(PAGE, 'utf8')) ?? []
  if (name === '') throw new Error('docs/run-a-contest.md writes no service.env')
  return { [name]: value }
}

/** Runs commands, first in `folder`; `cd` changes it. It may write the file `notes`. */
export function openShell(folder: string, notes: string, env: Readonly<Record<string, string>>) {
  let present = folder
  return async (command: string): Promise<string> => {
    const script = `${command}\nstatus=$?; pwd > '${notes}'; exit $status`
    const options = { cwd: present, env, timeout: TEST_LIMIT_MS, maxBuffer: 2 ** 26 }
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script], options)
    present = (await readFile(notes, 'utf8')).trim()
    return stderr + stdout
  }
}

/** A pattern of what the page shows: `…` stands for any lines, and details may be others. */
export function patternOf(shown: string): RegExp {
  const lines = blur(shown)
    .split('\n')
    .map((line) => (line === OMITTED ? '(?:.*\\n)*' : `${escapeRegExp(line)}\\n`))
  return new RegExp(`^${lines.join('')}$`)
}

const escapeRegExp = (line: string) => line.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

const people = new URL('../../demo/exam/people.csv', import.meta.url)
const [, ...NAMES] = readFileSync(people, 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(',')[0] ?? '')
const NAME = new RegExp(NAMES.join('|'), 'g')

/** Replaces what differs each time: ids, times, tokens, passwords, numbers, and who was quicker. */
export function blur(output: string): string {
  return output
    .replaceAll(NAME, '<person>')
    .replaceAll(/\bproblem [A-E]\b/g, 'problem <label>')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, SERVICE)
    .replaceAll(/#token=[\w-]{43}/g, '#token=<token>')
    .replaceAll(/\b[0-9a-f]{8}((-[0-9a-f]{4}){3}-[0-9a-f]{12})?\b/g, '<id>')
    .replaceAll(/\b[a-z2-9]{4}(-[a-z2-9]{4}){3}\b/g, '<password>')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?/g, '<time>')
    .replaceAll(/\d+(\.\d+)?/g, '<number>')
    .replaceAll(/ +/g, ' ')
    .replaceAll(/ *$/gm, '')
    .trimEnd()
}

/** The checkout, as the page uses it. */
export const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))
