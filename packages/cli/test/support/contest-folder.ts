import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeTemporaryFolder } from '../../../../test/support/temporary-folder.ts'

/** A folder with a contest file and its packages and CSV files. */
export interface ContestFolder {
  readonly path: string
  /** The path of a file in it. */
  at(name: string): string
  write(name: string, content: string): Promise<void>
  /** Writes the contest file with these fields after the usual ones. */
  writeContest(fields?: Readonly<Record<string, string | undefined>>): Promise<void>
}

/** Makes a folder with a contest of two problems and two people, which starts in 2100. */
export async function makeContestFolder(name = 'exam'): Promise<ContestFolder> {
  const path = join(await makeTemporaryFolder(), name)
  const at = (file: string) => join(path, file)
  const write = async (file: string, content: string) => {
    await mkdir(dirname(at(file)), { recursive: true })
    await writeFile(at(file), content)
  }
  const writeContest = async (fields: Readonly<Record<string, string | undefined>> = {}) => {
    const all = { ...FIELDS, title: `The ${name}`, ...fields }
    const lines = Object.entries(all).flatMap(([key, value]) =>
      value === undefined ? [] : `${key}: ${value}\n`,
    )
    await write('contest.yaml', lines.join(''))
  }
  const folder = { path, at, write, writeContest }
  await writePackage(folder, 'sum', '3\n')
  await writePackage(folder, 'rain', '7\n')
  const people = ['Nora', 'Omar'].map((one) => `${one} ${name},${one}-${name}@example.org\n`)
  await write('people.csv', `name,email\n${people.join('')}`)
  await writeContest()
  return folder
}

/** Writes a package whose only secret test has this answer. */
export async function writePackage(folder: ContestFolder, name: string, answer: string): Promise<void> {
  const hash = createHash('sha256').update(folder.at(name)).digest('hex')
  const uuid = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`
  const yaml = `problem_format_version: 2025-09\nname: The ${name}\nuuid: ${uuid}\nlimits:\n  time_limit: 1\n`
  await folder.write(`${name}/problem.yaml`, yaml)
  await folder.write(`${name}/statement/problem.en.md`, 'Add the numbers.\n')
  await folder.write(`${name}/data/secret/1.in`, '1 2\n')
  await folder.write(`${name}/data/secret/1.ans`, answer)
}

const FIELDS = {
  time_zone: 'Europe/Berlin',
  start: '2100-12-01 09:00',
  duration: '3h',
  problems: '[{package: sum, label: A, color: red}, {package: rain, label: B}]',
  participants: 'people.csv',
}
