import { PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** Writes a zip while its entries are made: only one is in memory at a time. */
export interface ZipWriter {
  readonly output: Readable
  /** Adds an entry. Resolves when the earlier ones are written; rejects if the output fails. */
  add(path: string, content: string | Readable, time?: Date): Promise<void>
  /** There are no more entries. */
  end(): void
}

/** Makes the writer of one zip. */
export function createZipWriter(): ZipWriter {
  const zip = new ZipFile()
  const output = new PassThrough()
  zip.outputStream.pipe(output)
  zip.on('error', (err: Error) => void output.destroy(err))
  return {
    output,
    async add(path, content, time) {
      const stream = typeof content === 'string' ? Readable.from([Buffer.from(content)]) : content
      // The library does not pass on the errors of these streams.
      stream.once('error', (err) => void output.destroy(err))
      await new Promise<void>((resolve, reject) => {
        const fail = () => reject(output.errored ?? new Error('the zip was closed'))
        if (output.destroyed) return fail()
        output.once('close', fail)
        zip.addReadStreamLazy(path, { mode: 0o100644, ...(time && { mtime: time }) }, (addStream) => {
          output.off('close', fail)
          addStream(null, stream)
          resolve()
        })
      })
    },
    end: () => zip.end(),
  }
}
