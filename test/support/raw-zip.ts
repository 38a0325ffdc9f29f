import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of a hostile archive; the fields that are absent are right. */
export interface RawEntry {
  readonly name: string | Buffer
  readonly content?: string | Buffer
  readonly localName?: string | Buffer
  /** 0 stores and 8 deflates; the content of other methods is written as it is. */
  readonly method?: number
  readonly flags?: number
  /** The type and permissions of Unix: 0o120777 is a link. */
  readonly mode?: number
  readonly crc?: number
  /** The sizes that the archive declares. */
  readonly bytes?: number
  readonly compressedBytes?: number
  /** The place of the local header; then none is written, and entries may overlap. */
  readonly offset?: number
  /** Bytes that are written in place of the compressed content. */
  readonly data?: Buffer
  readonly extra?: Buffer
}

/** How the list of files and the end record lie. */
export interface RawArchive {
  readonly entries?: number
  readonly listBytes?: number
  readonly listOffset?: number
  readonly comment?: Buffer
  /** Length of the comment that the end record declares. */
  readonly commentBytes?: number
  readonly before?: Buffer
  readonly after?: Buffer
}

/** Bytes of a zip file in which every field can lie. No library writes such archives. */
export function writeRawZip(entries: readonly RawEntry[], archive: RawArchive = {}): Buffer {
  const locals: Buffer[] = []
  const list: Buffer[] = []
  let offset = archive.before?.length ?? 0
  for (const entry of entries) {
    const local = entry.offset === undefined ? writeLocal(entry) : Buffer.alloc(0)
    list.push(writeListed(entry, offset))
    locals.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(list)
  return Buffer.concat([
    archive.before ?? Buffer.alloc(0),
    ...locals,
    listed,
    writeEnd(entries.length, listed.length, offset, archive),
    archive.after ?? Buffer.alloc(0),
  ])
}

/** Writes numbers of so many bytes, the lowest byte first. */
const numbersOf =
  (bytes: number) =>
  (...values: readonly (number | bigint)[]): Buffer =>
    Buffer.concat(
      values.map((value) => {
        const field = Buffer.alloc(8)
        field.writeBigUInt64LE(BigInt(value))
        return field.subarray(0, bytes)
      }),
    )
const [u16, u32, u64] = [numbersOf(2), numbersOf(4), numbersOf(8)]

/** The end record of zip64 with its locator; `values` are the declared numbers. */
export function writeZip64End(values: {
  readonly at: number
  readonly entries: bigint
  readonly listBytes: bigint
  readonly listOffset: bigint
}): Buffer {
  const { at, entries, listBytes, listOffset } = values
  const record = [u32(0x06064b50), u64(44), u16(45, 45), u64(0, entries, entries, listBytes, listOffset)]
  return Buffer.concat([...record, u32(0x07064b50, 0), u64(at), u32(1)])
}

/** The extra field of zip64 with the sizes that it declares. */
export const writeZip64Sizes = (bytes: bigint, compressedBytes: bigint): Buffer =>
  Buffer.concat([u16(1, 16), u64(bytes, compressedBytes)])

const UTF8_FLAG = 0x800

function fieldsOf(entry: RawEntry) {
  const content = Buffer.from(entry.content ?? '')
  const method = entry.method ?? 0
  const data = entry.data ?? (method === 8 ? deflateRawSync(content) : content)
  return {
    method,
    data,
    flags: entry.flags ?? UTF8_FLAG,
    crc: entry.crc ?? crc32(content),
    bytes: entry.bytes ?? content.length,
    compressedBytes: entry.compressedBytes ?? data.length,
    extra: entry.extra ?? Buffer.alloc(0),
  }
}

/** The fields that the header of a file and its line in the list have in common. */
function writeCommon(entry: RawEntry, name: Buffer): Buffer {
  const { method, flags, crc, bytes, compressedBytes, extra } = fieldsOf(entry)
  const sizes = [u32(0, crc, compressedBytes, bytes), u16(name.length, extra.length)]
  return Buffer.concat([u16(20, flags, method), ...sizes])
}

function writeLocal(entry: RawEntry): Buffer {
  const { data, extra } = fieldsOf(entry)
  const name = Buffer.from(entry.localName ?? entry.name)
  return Buffer.concat([u32(0x04034b50), writeCommon(entry, name), name, extra, data])
}

const MADE_ON_UNIX = (3 << 8) | 20

function writeListed(entry: RawEntry, offset: number): Buffer {
  const name = Buffer.from(entry.name)
  const mode = ((entry.mode ?? 0o100644) << 16) >>> 0
  const start = [u32(0x02014b50), u16(MADE_ON_UNIX), writeCommon(entry, name)]
  return Buffer.concat([
    ...start,
    u16(0, 0, 0),
    u32(mode, entry.offset ?? offset),
    name,
    fieldsOf(entry).extra,
  ])
}

function writeEnd(entries: number, listBytes: number, listOffset: number, archive: RawArchive): Buffer {
  const comment = archive.comment ?? Buffer.alloc(0)
  const count = (archive.entries ?? entries) & 0xffff
  const list = u32(archive.listBytes ?? listBytes, archive.listOffset ?? listOffset)
  const end = [u32(0x06054b50, 0), u16(count, count), list, u16(archive.commentBytes ?? comment.length)]
  return Buffer.concat([...end, comment])
}
