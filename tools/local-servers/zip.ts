import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

/** An archive that is not compressed; of the same files it always has the same bytes. */
export async function zipFiles(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const archive = new ZipFile()
  for (const [path, text] of Object.entries(files))
    archive.addBuffer(Buffer.from(text), path, { compress: false, mtime: new Date('2026-01-01T00:00:00Z') })
  archive.end()
  return buffer(archive.outputStream)
}
