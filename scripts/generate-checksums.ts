import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const MIGRATIONS = fileURLToPath(new URL('../migrations/', import.meta.url))
const CHECKSUMS_FILE = `${MIGRATIONS}checksums.json`

/** The SHA-256 of each migration and upgrade script by its path below migrations/. */
export async function computeChecksums(): Promise<Record<string, string>> {
  const files = (await readdir(MIGRATIONS, { recursive: true }))
    .filter((file) => file.endsWith('.sql'))
    .sort()
  const entries = files.map(async (file) => {
    const text = await readFile(`${MIGRATIONS}${file}`)
    return [file, createHash('sha256').update(text).digest('hex')] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** Reads the recorded checksums. */
export async function readChecksums(): Promise<Record<string, string>> {
  return JSON.parse(await readFile(CHECKSUMS_FILE, 'utf8'))
}

/** Adds new files to migrations/checksums.json. Throws if a recorded file has changed. */
export async function generateChecksums(): Promise<void> {
  const computed = await computeChecksums()
  for (const [file, checksum] of Object.entries(await readChecksums()))
    if (computed[file] !== checksum)
      throw new Error(`migrations/${file} has changed. Restore the file; put changes into a new migration.`)
  await writeFile(CHECKSUMS_FILE, `${JSON.stringify(computed, null, 2)}\n`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await generateChecksums()
