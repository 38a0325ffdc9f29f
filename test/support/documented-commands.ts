import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter } from 'node:path'
import { promisify } from 'node:util'
import { findPostgresBinaries } from '../../tools/local-servers/postgres.ts'

const operations = new URL('../../docs/operations.md', import.meta.url)

/** The line of docs/operations.md that runs `program`; throws unless there is exactly one. */
export function findCommand(program: string): string {
  const blocks = readFileSync(operations, 'utf8').matchAll(/```sh\n(.*?)```/gs)
  const lines = [...blocks].flatMap(([, block = '']) => block.split('\n'))
  const [line, ...others] = lines.filter((candidate) => candidate.startsWith(`${program} `))
  if (line === undefined || others.length > 0) throw new Error(`docs/operations.md must name ${program} once`)
  return line
}

const withBinaries = () => [findPostgresBinaries() ?? '', process.env.PATH].join(delimiter)

export function hasPostgresClient(): boolean {
  try {
    for (const program of ['pg_dump', 'pg_restore'])
      execFileSync(program, ['--version'], { env: { PATH: withBinaries() }, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Runs a command in a shell in `folder`, with PATH and `variables` only. */
export async function runCommand(command: string, folder: string, variables: Record<string, string>) {
  const env = { PATH: withBinaries(), ...variables }
  await promisify(execFile)('sh', ['-c', command], { cwd: folder, env })
}
