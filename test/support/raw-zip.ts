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

/** The end record of zip64 with its locator; `values` are the declared numbers. */
export function writeZip64End(values: {
  readonly at: number
  readonly entries: bigint
  readonly listBytes: bigint
  readonly listOffset: bigint
}): Buffer {
  const record = Buffer.alloc(56)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeUInt16LE(45, 12)
  record.writeUInt16LE(45, 14)
  record.writeBigUInt64LE(values.entries, 24)
  record.writeBigUInt64LE(values.entries, 32)
  record.writeBigUInt64LE(values.listBytes, 40)
  record.writeBigUInt64LE(values.listOffset, 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(values.at), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, locator])
}

/** The extra field of zip64 with the sizes that it declares. */
export function writeZip64Sizes(bytes: bigint, compressedBytes: bigint): Buffer {
  const extra = Buffer.alloc(20)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(16, 2)
  extra.writeBigUInt64LE(bytes, 4)
  extra.writeBigUInt64LE(compressedBytes, 12)
  return extra
}

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

function writeLocal(entry: RawEntry): Buffer {
  const { method, data, flags, crc, bytes, compressedBytes, extra } = fieldsOf(entry)
  const name = Buffer.from(entry.localName ?? entry.name)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(method, 8)
  header.writeUInt32LE(crc, 14)
  header.writeUInt32LE(compressedBytes, 18)
  header.writeUInt32LE(bytes, 22)
  header.writeUInt16LE(name.length, 26)
  header.writeUInt16LE(extra.length, 28)
  return Buffer.concat([header, name, extra, data])
}

const MADE_ON_UNIX = (3 << 8) | 20

function writeListed(entry: RawEntry, offset: number): Buffer {
  const { method, flags, crc, bytes, compressedBytes, extra } = fieldsOf(entry)
  const name = Buffer.from(entry.name)
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(MADE_ON_UNIX, 4)
  header.writeUInt16LE(20, 6)
  header.writeUInt16LE(flags, 8)
  header.writeUInt16LE(method, 10)
  header.writeUInt32LE(crc, 16)
  header.writeUInt32LE(compressedBytes, 20)
  header.writeUInt32LE(bytes, 24)
  header.writeUInt16LE(name.length, 28)
  header.writeUInt16LE(extra.length, 30)
  header.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 38)
  header.writeUInt32LE(entry.offset ?? offset, 42)
  return Buffer.concat([header, name, extra])
}

function writeEnd(entries: number, listBytes: number, listOffset: number, archive: RawArchive): Buffer {
  const comment = archive.comment ?? Buffer.alloc(0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE((archive.entries ?? entries) & 0xffff, 8)
  end.writeUInt16LE((archive.entries ?? entries) & 0xffff, 10)
  end.writeUInt32LE(archive.listBytes ?? listBytes, 12)
  end.writeUInt32LE(archive.listOffset ?? listOffset, 16)
  end.writeUInt16LE(archive.commentBytes ?? comment.length, 20)
  return Buffer.concat([end, comment])
}
