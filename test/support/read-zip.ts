import { text } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'

/** Reads the files of a zip, by name. */
export async function readZip(bytes: Buffer): Promise<Record<string, string>> {
  const zip = await fromBufferPromise(bytes)
  const files: Record<string, string> = {}
  for await (const entry of zip.eachEntry())
    files[entry.fileName] = await text(await zip.openReadStreamPromise(entry))
  return files
}
