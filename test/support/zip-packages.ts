import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

/** A file of a zip: its path and its content. */
export type ZipEntry = readonly [path: string, content: string | Buffer]

/** Zips the files of a folder, below `topFolder` if it is given. */
export async function zipFolder(folder: string, options: { topFolder?: string } = {}): Promise<Buffer> {
  const zip = new ZipFile()
  for (const path of await listFiles(folder))
    zip.addFile(join(folder, path), inFolder(options.topFolder, path))
  return finish(zip)
}

/** Zips texts and bytes. */
export async function zipEntries(
  entries: Iterable<ZipEntry>,
  options: { topFolder?: string; compress?: boolean } = {},
): Promise<Buffer> {
  const zip = new ZipFile()
  const { topFolder, compress = true } = options
  for (const [path, content] of entries)
    zip.addBuffer(Buffer.from(content), inFolder(topFolder, path), { compress })
  return finish(zip)
}

async function listFiles(folder: string): Promise<string[]> {
  const paths = await readdir(folder, { recursive: true })
  const kinds = await Promise.all(paths.map((path) => stat(join(folder, path))))
  return paths.filter((_, i) => kinds[i]?.isFile()).sort()
}

function inFolder(folder: string | undefined, path: string): string {
  return folder === undefined ? path : `${folder}/${path}`
}

function finish(zip: ZipFile): Promise<Buffer> {
  zip.end()
  return buffer(zip.outputStream)
}
