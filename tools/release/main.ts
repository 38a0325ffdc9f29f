import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readNotes } from './changelog.ts'
import { PACKAGE_FOLDERS, PROJECT, packAll, readManifest } from './packages.ts'

const RELEASE = join(PROJECT, 'release')

const run = (command: string, args: readonly string[]) =>
  execFileSync(command, args, {
    cwd: PROJECT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 26,
  })

try {
  const { version } = readManifest('.')
  const notes = readNotes(readFileSync(join(PROJECT, 'CHANGELOG.md'), 'utf8'), version)
  const changes = run('git', ['status', '--porcelain'])
  if (changes !== '') throw new Error(`Commit or remove these changes first:\n${changes}`)
  buildAgain()
  rmSync(RELEASE, { recursive: true, force: true })
  mkdirSync(RELEASE)
  const tarballs = await packAll(RELEASE)
  const statements = join(RELEASE, 'statements.sql')
  writeFileSync(statements, run('npm', ['run', '--silent', 'statements']))
  const paths = [...tarballs.map(({ path }) => path), statements]
  const sums = paths.map((path) => `${sha256(path)}  ${basename(path)}\n`).join('')
  writeFileSync(join(RELEASE, 'SHA256SUMS'), sums)
  writeFileSync(join(RELEASE, 'RELEASE-NOTES.md'), `# ${version}\n\n${notes}`)
  console.log(sums.trimEnd())
} catch (err) {
  console.error(err instanceof Error ? err.message : String(err))
  process.exitCode = 1
}

/** An older build may contain files whose sources are gone. */
function buildAgain(): void {
  for (const folder of PACKAGE_FOLDERS)
    for (const name of ['dist', 'tsconfig.tsbuildinfo'])
      rmSync(join(PROJECT, folder, name), { recursive: true, force: true })
  run('npm', ['run', '--silent', 'build'])
}

function sha256(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
