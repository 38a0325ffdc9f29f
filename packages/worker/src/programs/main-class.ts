import type { Dirent } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { readUntrusted } from '../shared/read-untrusted.ts'
import { type ClassFile, readClassFile } from './class-file.ts'

const MAX_DEPTH = 64
const MAX_ENTRIES = 10_000
const MAX_FILE_BYTES = 2 ** 20
const MAX_TOTAL_BYTES = 64 * 2 ** 20
const CLASS_SUFFIX = '.class'
// A Java identifier. This also keeps out names that `java` would take for an option, and U+FFFD: a
// name that is not UTF-8 contains it and could otherwise be opened under another file's name.
const IDENTIFIER = /^[\p{L}\p{Nl}\p{Sc}\p{Pc}][\p{L}\p{Nl}\p{Sc}\p{Pc}\p{Nd}\p{Mn}\p{Mc}]*$/u

/**
 * The class that `java -cp folder` should start, such as `org.example.Main`; undefined if there is
 * none. The compiler may have left anything in the folder, but nothing may change the folder now.
 */
export async function findMainClass(folder: string): Promise<string | undefined> {
  const candidates: ClassFile[] = []
  let bytesLeft = MAX_TOTAL_BYTES
  for await (const path of listClassFiles(folder)) {
    const bytes = await readUntrusted(join(folder, ...path), MAX_FILE_BYTES, MAX_FILE_BYTES)
    bytesLeft -= bytes?.length ?? 0
    if (bytesLeft < 0) break
    const classFile = bytes && readClassFile(bytes)
    // The JVM refuses a class whose path differs from its name.
    if (classFile?.hasMain && `${classFile.internalName}${CLASS_SUFFIX}` === path.join('/'))
      candidates.push(classFile)
  }
  return candidates.toSorted(compareCandidates)[0]?.internalName.replaceAll('/', '.')
}

/** The paths of class files below a folder, split into names; shallow ones first. */
async function* listClassFiles(folder: string): AsyncGenerator<readonly string[]> {
  const folders: (readonly string[])[] = [[]]
  let entries = 0
  // The list grows while it is read: breadth first.
  for (const parent of folders) {
    for await (const entry of readFolder(join(folder, ...parent))) {
      entries += 1
      if (entries > MAX_ENTRIES) return
      const path = [...parent, entry.name]
      const isPackage = entry.isDirectory() && IDENTIFIER.test(entry.name)
      if (isPackage && path.length <= MAX_DEPTH) folders.push(path)
      if (isClassFile(entry)) yield path
    }
  }
}

function isClassFile(entry: Dirent): boolean {
  const stem = entry.name.slice(0, -CLASS_SUFFIX.length)
  return entry.isFile() && entry.name.endsWith(CLASS_SUFFIX) && IDENTIFIER.test(stem)
}

/** The readable entries of a folder. */
async function* readFolder(path: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(path)
  } catch (err) {
    if (!(err instanceof Error && 'syscall' in err)) throw err
  }
}

/** Order: `Main`, public classes, others, nested classes; shallow packages first, then by name. */
function compareCandidates(left: ClassFile, right: ClassFile): number {
  return (
    rank(left) - rank(right) ||
    left.internalName.split('/').length - right.internalName.split('/').length ||
    (left.internalName < right.internalName ? -1 : 1)
  )
}

function rank({ internalName, isPublic }: ClassFile): number {
  if (internalName.split('/').at(-1) === 'Main') return 0
  if (internalName.includes('$')) return 3
  return isPublic ? 1 : 2
}
