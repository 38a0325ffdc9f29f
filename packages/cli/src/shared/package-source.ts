import { createHash, type Hash } from 'node:crypto'
import { createReadStream, type Stats } from 'node:fs'
import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { PassThrough, pipeline, type Readable, Transform } from 'node:stream'
import { ZipFile } from 'yazl'
import { tooLarge, usageError } from './errors.ts'

/** A problem package on this computer. */
export interface PackageSource {
  /** As the user wrote it. */
  readonly path: string
  /** The bytes of its files, before compression. */
  readonly bytes: number
  /** The size of a zip file. Folders and pipes have none before they were read. */
  readonly zipBytes?: number
  /** Opens it as a zip. `onRead` gets the number of bytes of each part that was read. */
  open(onRead: (bytes: number) => void): Readable
  /** A hash of its content. For a folder, times of files do not count. */
  hash(): Promise<string>
}

interface FoundFile {
  readonly path: string
  /** The path in the zip. */
  readonly name: string
  readonly stats: Stats
}

/** The service refuses more. */
const MOST_FILES = 50_000
const MOST_FILE_BYTES = 64 * 1024 * 1024

/** Finds a zip or a folder. Throws a usage error or an error of the file system. */
export async function findPackage(path: string): Promise<PackageSource> {
  const stats = await stat(path)
  if (!stats.isDirectory()) {
    const open = (onRead: (bytes: number) => void) => countBytes(createReadStream(path), onRead)
    const hash = async () => (await addContent(createHash('sha256'), path)).digest('base64url')
    return { path, bytes: stats.size, ...(stats.isFile() && { zipBytes: stats.size }), open, hash }
  }
  const root = await realpath(path)
  const files = await listFiles(root, basename(resolve(path)), root)
  await checkFolder(path, root, files)
  checkSizes(path, files)
  const bytes = files.reduce((sum, file) => sum + file.stats.size, 0)
  return { path, bytes, open: (onRead) => zipFiles(files, onRead), hash: () => hashFiles(files) }
}

/** Hidden files that belong to a package; all other hidden files are left out. */
const HIDDEN_FILES = ['.timelimit', '.judge-data-layer.json']

/** Lists the files below a folder, sorted, with their names in the zip. */
async function listFiles(folder: string, name: string, root: string): Promise<FoundFile[]> {
  const names = (await readdir(folder)).filter((one) => !one.startsWith('.') || HIDDEN_FILES.includes(one))
  const files: FoundFile[] = []
  for (const one of names.sort()) {
    const path = join(folder, one)
    const stats = await lstat(path)
    if (stats.isDirectory()) files.push(...(await listFiles(path, `${name}/${one}`, root)))
    else files.push({ path, name: `${name}/${one}`, stats: await checkFile(path, stats, root) })
  }
  return files
}

/** Links may lead only to files of the package: others could publish files of this computer. */
async function checkFile(path: string, stats: Stats, root: string): Promise<Stats> {
  if (stats.isFile()) return stats
  if (!stats.isSymbolicLink()) throw usageError(`${path}: is not a file.`)
  const target = await realpath(path)
  const found = await stat(target)
  if (found.isFile() && target.startsWith(root + sep)) return found
  throw usageError(`${path}: is a link to ${target}. Links must lead to files of the package.`)
}

/** A folder of packages is a frequent mistake. */
async function checkFolder(path: string, root: string, files: readonly FoundFile[]): Promise<void> {
  const paths = files.map((file) => relative(root, file.path).split(sep).join('/'))
  if (files.length === 0) throw usageError(`${path}: has no files.`)
  if (paths.some((one) => one === 'problem.yaml' || one.startsWith('data/'))) return
  if (paths.filter((one) => /^[^/]+\/problem\.yaml$/.test(one)).length > 1)
    throw usageError(`${path}: contains several packages. Import them all with: ${join(path, '*')}`)
}

/** A refusal after a long upload would be a waste of time. */
function checkSizes(path: string, files: readonly FoundFile[]): void {
  if (files.length > MOST_FILES)
    throw tooLarge(`${path}: has ${files.length} files; at most ${MOST_FILES} are allowed.`)
  const large = files.find(({ stats }) => stats.size > MOST_FILE_BYTES)
  if (large !== undefined) throw tooLarge(`${large.path}: is larger than 64 MiB.`)
}

/** The zip is written while it is read: it is never whole in memory. */
function zipFiles(files: readonly FoundFile[], onRead: (bytes: number) => void): Readable {
  const zip = new ZipFile()
  const output = new PassThrough()
  zip.outputStream.pipe(output)
  const fail = (err: Error) => void output.destroy(err)
  zip.on('error', fail)
  for (const { path, name, stats } of files)
    zip.addReadStreamLazy(name, { mtime: stats.mtime, mode: stats.mode }, (add) => {
      // The library does not pass on the errors of these streams.
      add(null, countBytes(createReadStream(path), onRead).once('error', fail))
    })
  zip.end()
  return output
}

function countBytes(stream: Readable, onRead: (bytes: number) => void): Readable {
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onRead(chunk.length)
      done(null, chunk)
    },
  })
  // The reader of the counter gets the error.
  pipeline(stream, counter, () => {})
  return counter
}

async function hashFiles(files: readonly FoundFile[]): Promise<string> {
  const hash = createHash('sha256')
  for (const { path, name, stats } of files) {
    // Programs of a package may be executable files.
    hash.update(`${JSON.stringify(name)} ${stats.size} ${stats.mode & 0o100}\n`)
    await addContent(hash, path)
  }
  return hash.digest('base64url')
}

async function addContent(hash: Hash, path: string): Promise<Hash> {
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash
}
