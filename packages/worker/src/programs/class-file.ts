/** The parts of a Java class file that decide whether `java` can start the class. */
export interface ClassFile {
  /** The name with slashes, such as `org/example/Main`. */
  readonly internalName: string
  readonly isPublic: boolean
  /** True if the class declares `public static void main(String[])`. */
  readonly hasMain: boolean
}

interface Constant {
  readonly tag: number
  /** Where the constant starts, after its tag. */
  readonly offset: number
}

type Constants = readonly (Constant | undefined)[]
type Cursor = ReturnType<typeof createCursor>

const MAGIC = 0xcafebabe
const UTF8 = 1
const LONG = 5
const DOUBLE = 6
const CLASS = 7
const PUBLIC = 0x0001
const STATIC = 0x0008
const MAIN_NAME = Buffer.from('main')
const MAIN_DESCRIPTOR = Buffer.from('([Ljava/lang/String;)V')
// JVM specification, table 4.4-A: each tag with the size of its constant. Utf8 has its own length.
const CONSTANT_BYTES: ReadonlyMap<number, number> = new Map([
  ...[3, 4, 9, 10, 11, 12, 17, 18].map((tag) => [tag, 4] as const),
  ...[7, 8, 16, 19, 20].map((tag) => [tag, 2] as const),
  [15, 3],
  [LONG, 8],
  [DOUBLE, 8],
])

/** Reads a whole class file (JVM specification 4.1); undefined if it is malformed. */
export function readClassFile(bytes: Buffer): ClassFile | undefined {
  try {
    return parse(bytes)
  } catch (err) {
    if (err instanceof RangeError) return undefined
    throw err
  }
}

function parse(bytes: Buffer): ClassFile | undefined {
  const cursor = createCursor(bytes)
  if (cursor.readU4() !== MAGIC) return undefined
  cursor.skip(4)
  const constants = readConstants(cursor)
  const access = cursor.readU2()
  const internalName = readClassName(bytes, constants, cursor.readU2())
  cursor.skip(2)
  cursor.skip(2 * cursor.readU2())
  readMembers(cursor, () => undefined)
  let hasMain = false
  readMembers(cursor, (flags, nameIndex, descriptorIndex) => {
    hasMain ||=
      (flags & PUBLIC) !== 0 &&
      (flags & STATIC) !== 0 &&
      isUtf8(bytes, constants[nameIndex], MAIN_NAME) &&
      isUtf8(bytes, constants[descriptorIndex], MAIN_DESCRIPTOR)
  })
  skipAttributes(cursor)
  if (cursor.offset !== bytes.length || internalName === undefined) return undefined
  return { internalName, isPublic: (access & PUBLIC) !== 0, hasMain }
}

/** Sequential access to the bytes. Every read beyond the end throws `RangeError`. */
function createCursor(bytes: Buffer) {
  let offset = 0
  const advance = (count: number): number => {
    const start = offset
    if (count > bytes.length - start) throw new RangeError('the class file is truncated')
    offset += count
    return start
  }
  return {
    get offset() {
      return offset
    },
    readU1: () => bytes.readUInt8(advance(1)),
    readU2: () => bytes.readUInt16BE(advance(2)),
    readU4: () => bytes.readUInt32BE(advance(4)),
    skip: advance,
  }
}

function readConstants(cursor: Cursor): Constants {
  const count = cursor.readU2()
  const constants: (Constant | undefined)[] = [undefined]
  while (constants.length < count) {
    const tag = cursor.readU1()
    constants.push({ tag, offset: cursor.offset })
    const bytes = tag === UTF8 ? cursor.readU2() : CONSTANT_BYTES.get(tag)
    if (bytes === undefined) throw new RangeError(`constant tag ${tag} is unknown`)
    cursor.skip(bytes)
    // The index after a long or a double is unused (4.4.5).
    if (tag === LONG || tag === DOUBLE) constants.push(undefined)
  }
  return constants
}

/** Fields and methods have the same layout (4.5, 4.6). */
function readMembers(
  cursor: Cursor,
  visit: (flags: number, nameIndex: number, descriptorIndex: number) => void,
): void {
  const count = cursor.readU2()
  for (let index = 0; index < count; index++) {
    visit(cursor.readU2(), cursor.readU2(), cursor.readU2())
    skipAttributes(cursor)
  }
}

function skipAttributes(cursor: Cursor): void {
  const count = cursor.readU2()
  for (let index = 0; index < count; index++) {
    cursor.skip(2)
    cursor.skip(cursor.readU4())
  }
}

function readClassName(bytes: Buffer, constants: Constants, index: number): string | undefined {
  const constant = constants[index]
  if (constant?.tag !== CLASS) return undefined
  return readUtf8(bytes, constants[bytes.readUInt16BE(constant.offset)])?.toString('utf8')
}

function isUtf8(bytes: Buffer, constant: Constant | undefined, expected: Buffer): boolean {
  return readUtf8(bytes, constant)?.equals(expected) ?? false
}

function readUtf8(bytes: Buffer, constant: Constant | undefined): Buffer | undefined {
  if (constant?.tag !== UTF8) return undefined
  const start = constant.offset + 2
  return bytes.subarray(start, start + bytes.readUInt16BE(constant.offset))
}
