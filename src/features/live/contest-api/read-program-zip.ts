import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { AppError } from '../../../http/routing/errors.ts'

/** A zip has one program; folders and the metadata of macOS are ignored. */
const MOST_ENTRIES = 100

const STORED = 0
const DEFLATED = 8

/** The program in a zip of one file. Never unpacks more than `mostBytes`. Throws VALIDATION. */
export async function readProgramZip(base64: string, mostBytes: number): Promise<string> {
  const zip = await openZip(Buffer.from(base64, 'base64'))
  const entry = onlyOne(await readEntries(zip))
  if (entry.isEncrypted()) throw invalid('the file must not be encrypted')
  if (![STORED, DEFLATED].includes(entry.compressionMethod))
    throw invalid('the file must be stored or compressed by deflate')
  if (entry.uncompressedSize > mostBytes)
    throw invalid(`the program in the zip must have at most ${mostBytes} bytes`)
  return textOf(await readContent(zip, entry))
}

async function openZip(bytes: Buffer): Promise<ZipFile> {
  try {
    return await fromBufferPromise(bytes, { decodeStrings: false, lazyEntries: true })
  } catch {
    throw invalid('data must be a complete zip file')
  }
}

async function readEntries(zip: ZipFile): Promise<Entry[]> {
  if (zip.entryCount > MOST_ENTRIES) throw notOne(zip.entryCount)
  const entries: Entry[] = []
  try {
    for await (const entry of zip.eachEntry()) entries.push(entry)
  } catch {
    throw invalid('the list of files in the zip is damaged')
  }
  return entries
}

function onlyOne(entries: readonly Entry[]): Entry {
  const files = entries.filter(({ fileNameRaw }) => {
    const name = fileNameRaw.toString('latin1')
    return !name.endsWith('/') && !name.startsWith('__MACOSX/')
  })
  const [file, second] = files
  if (file === undefined || second !== undefined) throw notOne(files.length)
  return file
}

/** The reader stops at the size that the entry declares. */
async function readContent(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const damaged = () => invalid('the file is damaged in the zip')
  const content = await zip
    .openReadStreamPromise(entry)
    .then(buffer)
    .catch(() => {
      throw damaged()
    })
  if (crc32(content) !== entry.crc32) throw damaged()
  return content
}

function textOf(content: Buffer): string {
  if (content.length === 0) throw invalid('the program must not be empty')
  if (!isUtf8(content) || content.includes(0)) throw invalid('the program must be UTF-8 without U+0000')
  return content.toString('utf8')
}

const invalid = (fault: string) => new AppError('VALIDATION', `files: ${fault}`)

const notOne = (count: number) =>
  invalid(`the zip must have exactly one file, the program; it has ${count}: join them into one`)
