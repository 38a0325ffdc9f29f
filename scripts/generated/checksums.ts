import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

const MIGRATIONS = new URL('../../migrations/', import.meta.url)

/** The SHA-256 of each migration and upgrade script by its path below migrations/. */
async function computeChecksums(): Promise<Record<string, string>> {
  const files = (await readdir(MIGRATIONS, { recursive: true })).filter((file) => file.endsWith('.sql'))
  const entries = files.sort().map(async (file) => {
    const text = await readFile(new URL(file, MIGRATIONS))
    return [file, createHash('sha256').update(text).digest('hex')] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** Adds new files. Throws if a recorded file has changed: migrations are frozen. */
export async function describeChecksums(recorded: string): Promise<string> {
  const computed = await computeChecksums()
  for (const [file, checksum] of Object.entries<string>(JSON.parse(recorded))) {
    if (computed[file] !== checksum) {
      throw new Error(`migrations/${file} has changed. Restore the file; put changes into a new migration.`)
    }
  }
  return `${JSON.stringify(computed, null, 2)}\n`
}
