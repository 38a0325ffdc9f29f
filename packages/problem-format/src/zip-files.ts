import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl'
import { type Archive, ArchiveReader } from './archive-reader.ts'
import {
  MOST_LEVELS,
  OWN_SETTINGS,
  PackageError,
  type PackageFile,
  readShownName,
  type Warnings,
} from './package/package-files.ts'

const MEBIBYTE = 1024 * 1024

/** Bounds against archives that are small and unpack to very much. */
const BOUNDS = {
  entries: 50_000,
  /** Of a path; its folders are looked up one by one. */
  nameBytes: 500,
  fileBytes: 64 * MEBIBYTE,
  totalBytes: 1024 * MEBIBYTE,
  /** Text of one repeated character reaches 1,000; tests of many megabytes rarely exceed 50. */
  ratio: 100,
  /** Up to this size the ratio is not checked. */
  uncheckedBytes: 64 * MEBIBYTE,
}

/** Names that the format allows; it tells judges to ignore all other files. */
const NAME = /^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,254}$/
const HIDDEN_SETTINGS = ['.timelimit', OWN_SETTINGS]

/**
 * Reads the list of files of a package in a zip file; the files are read from there later. `folder`
 * is the name of the one around all files, as a name for people; undefined without one. Throws
 * `PackageError`
 * for an archive that is damaged, too large, or has names that are unsafe or occur twice. Warns
 * about files that the format ignores.
 */
export async function openPackage(archive: Archive, warnings: Warnings) {
  const zip = await openZip(archive)
  const entries = await readEntries(zip, archive.bytes)
  const folder = folderAround([...entries.keys()])
  const files = new Map<string, PackageFile>()
  for (const [name, entry] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const isOutside = folder !== undefined && !name.startsWith(`${folder}/`)
    const path = folder === undefined ? name : name.slice(folder.length + 1)
    if (isOutside || isIgnored(path, files)) warnings.add(name, 'ignored: its name is not one of the format')
    else files.set(path, { path, bytes: entry.uncompressedSize, read: () => readEntry(zip, path, entry) })
  }
  const name = folder && readShownName(folder, (message) => warnings.add(ARCHIVE, `its folder: ${message}`))
  return { files, folder: name || undefined }
}

const ARCHIVE = 'the package'

async function openZip(archive: Archive): Promise<ZipFile> {
  const options = { autoClose: false, decodeStrings: false, lazyEntries: true }
  try {
    return await fromRandomAccessReaderPromise(new ArchiveReader(archive), archive.bytes, options)
  } catch {
    throw new PackageError(ARCHIVE, 'it must be a complete zip file')
  }
}

/** The entries that are files, by their names. */
async function readEntries(zip: ZipFile, archiveBytes: number): Promise<Map<string, Entry>> {
  if (zip.entryCount > BOUNDS.entries) throw tooMany()
  const entries = new Map<string, Entry>()
  const names: string[] = []
  let totalBytes = 0
  for await (const entry of entriesOf(zip)) {
    const name = nameOf(entry)
    checkEntry(name, entry)
    totalBytes += entry.uncompressedSize
    checkTotal(totalBytes, archiveBytes)
    names.push(name)
    if (name.endsWith('/')) continue
    if (entries.has(name)) throw new PackageError(name, 'the archive must have this file once')
    entries.set(name, entry)
    if (entries.size > BOUNDS.entries) throw tooMany()
  }
  checkFolders(names, entries)
  if (entries.size === 0) throw new PackageError(ARCHIVE, 'it must contain files')
  return entries
}

/** Throws if a folder of a name is a file, or if there are very many. Looks at each folder once. */
function checkFolders(names: readonly string[], files: ReadonlyMap<string, Entry>): void {
  const folders = new Set<string>()
  for (const name of names) {
    for (let end = name.lastIndexOf('/'); end >= 0; end = name.lastIndexOf('/', end - 1)) {
      const folder = name.slice(0, end)
      if (folders.has(folder)) break
      if (files.has(folder)) throw new PackageError(folder, 'a file and a folder have this name')
      folders.add(folder)
    }
    if (folders.size > BOUNDS.entries) throw tooMany()
  }
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry()
  } catch (err) {
    if (err instanceof PackageError) throw err
    throw new PackageError(ARCHIVE, `the list of files is damaged: ${messageOf(err)}`)
  }
}

/** The name, with a slash at the end for a folder. */
function nameOf({ fileNameRaw }: Entry): string {
  const shown = fileNameRaw.subarray(0, BOUNDS.nameBytes).toString('utf8')
  if (fileNameRaw.length > BOUNDS.nameBytes) {
    const message = `the name must have at most ${BOUNDS.nameBytes} bytes`
    throw new PackageError(JSON.stringify(`${shown}…`), message)
  }
  const name = fileNameRaw.toString('utf8')
  const fail = (message: string) => new PackageError(JSON.stringify(name), message)
  if (!isUtf8(fileNameRaw)) throw fail('the name must be UTF-8')
  if (name.includes('\\')) throw fail('the name must have / between folders, not \\')
  if (name.startsWith('/') || /^[a-zA-Z]:/.test(name)) throw fail('the name must not be an absolute path')
  const parts = name.replace(/\/$/, '').split('/')
  if (parts.length > MOST_LEVELS) throw fail(`the name must have at most ${MOST_LEVELS} levels`)
  if (parts.some((part) => part === '..' || part === '.' || part === ''))
    throw fail('the name must not have ., .. or empty parts')
  return name
}

const MODE_TYPE = 0o170000
const MODES = { none: 0, file: 0o100000, folder: 0o040000, link: 0o120000 }

function checkEntry(name: string, entry: Entry): void {
  const fail = (message: string) => new PackageError(name, message)
  const mode = (entry.externalFileAttributes >>> 16) & MODE_TYPE
  if (mode === MODES.link) throw fail('links are not supported: put the file itself into the package')
  if (![MODES.none, MODES.file, MODES.folder].includes(mode)) throw fail('it must be a file or a folder')
  if (entry.isEncrypted()) throw fail('it must not be encrypted')
  if (![0, 8].includes(entry.compressionMethod)) throw fail('it must be stored or compressed by deflate')
  if (entry.uncompressedSize > BOUNDS.fileBytes)
    throw fail(`it must have at most ${BOUNDS.fileBytes / MEBIBYTE} MiB`)
}

function checkTotal(totalBytes: number, archiveBytes: number): void {
  if (totalBytes > BOUNDS.totalBytes) {
    const most = `${BOUNDS.totalBytes / MEBIBYTE} MiB`
    throw new PackageError(ARCHIVE, `its files must have at most ${most} together`)
  }
  if (totalBytes > BOUNDS.uncheckedBytes && totalBytes > BOUNDS.ratio * archiveBytes)
    throw new PackageError(ARCHIVE, `its files must not be over ${BOUNDS.ratio} times its size`)
}

const tooMany = () => new PackageError(ARCHIVE, `it must have at most ${BOUNDS.entries} files and folders`)

/** Folders of the format; one of them is never the folder around a package. */
const PARTS = /^(?:data|submissions|statement|problem_statement|attachments|.*_validators?|__MACOSX)$/

function folderAround(names: readonly string[]): string | undefined {
  const own = names.filter((name) => !name.startsWith('__MACOSX/'))
  const [folder = ''] = own[0]?.split('/', 1) ?? []
  const isAround = !PARTS.test(folder) && own.every((name) => name.startsWith(`${folder}/`))
  return isAround ? folder : undefined
}

/** An export may have validators with other names. Its settings are the first of its files. */
function isIgnored(path: string, files: ReadonlyMap<string, PackageFile>): boolean {
  if (HIDDEN_SETTINGS.includes(path)) return false
  if (files.has(OWN_SETTINGS) && path.startsWith('output_validator/')) return false
  return path.startsWith('__MACOSX/') || !path.split('/').every((part) => NAME.test(part))
}

async function readEntry(zip: ZipFile, path: string, entry: Entry): Promise<Buffer> {
  const damaged = (reason: string) => new PackageError(path, `the file is damaged in the archive: ${reason}`)
  const content = await zip
    .openReadStreamPromise(entry)
    .then(buffer)
    .catch((err: unknown) => {
      throw damaged(messageOf(err))
    })
  if (crc32(content) !== entry.crc32) throw damaged('its checksum is wrong')
  return content
}

const messageOf = (err: unknown) => (err instanceof Error ? err.message : String(err))
