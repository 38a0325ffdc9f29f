import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

type Files = Readonly<Record<string, string | Buffer>>

/** Writes contents below a folder, by their paths; makes the folders around them. */
export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), content)
  }
}
