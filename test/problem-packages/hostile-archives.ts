import { constants, deflateRawSync } from 'node:zlib'
import {
  type RawArchive,
  type RawEntry,
  writeRawZip,
  writeZip64End,
  writeZip64Sizes,
} from '../support/raw-zip.ts'
import { smallPackage } from '../support/small-package.ts'

/** An archive that must be refused; its message matches `message`. */
export interface HostileArchive {
  readonly title: string
  readonly write: () => Buffer
  readonly message: RegExp
}

const MEBIBYTE = 1024 * 1024
const ANSWER = 'data/secret/1.ans'

/** The entries of a right package. */
export const rightEntries = (): RawEntry[] =>
  smallPackage().map(([name, content]) => ({ name, content, method: 8 }))

const beside = (...entries: RawEntry[]) => writeRawZip([...rightEntries(), ...entries])
const lying = (archive: RawArchive) => writeRawZip(rightEntries(), archive)
/** The right package, except for the fields of one file. */
const changed = (name: string, fields: Partial<RawEntry>) =>
  writeRawZip(rightEntries().map((entry) => (entry.name === name ? { ...entry, ...fields } : entry)))

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const unsafeNames: readonly HostileArchive[] = [
  ...[
    '../x',
    'a/../../x',
    'data/../problem.yaml',
    'data/./secret/2.in',
    '..',
    './x',
    'data//x',
    '/etc/x',
    '//x',
  ],
  ...['C:/x', 'C:x', 'c:\\x', 'data\\secret\\2.in', '\\\\host\\x', '..\\x', '/'],
].map((name) => ({
  title: `the name ${name}`,
  write: () => beside({ name, content: 'x' }),
  message: new RegExp(`^"?${escaped(JSON.stringify(name).slice(1, -1))}`),
}))

const names: readonly HostileArchive[] = [
  ...unsafeNames,
  {
    title: 'a name of 32,000 nested folders',
    write: () => beside({ name: `${'a/'.repeat(32_000)}b`, content: 'x' }),
    message: /name/,
  },
  {
    title: 'a name of 60,000 characters',
    write: () => beside({ name: 'a'.repeat(60_000), content: 'x' }),
    message: /name/,
  },
  {
    title: 'a name in Latin-1 without the UTF-8 flag',
    write: () => beside({ name: Buffer.from('caf\xe9.txt', 'latin1'), content: 'x', flags: 0 }),
    message: /UTF-8/,
  },
  {
    title: 'a name with the UTF-8 flag that is not UTF-8',
    write: () => beside({ name: Buffer.from([0x61, 0xc3, 0x28]), content: 'x' }),
    message: /UTF-8/,
  },
  {
    title: 'a file twice',
    write: () => beside({ name: ANSWER, content: '2\n' }),
    message: new RegExp(ANSWER),
  },
  {
    title: 'a file that is also a folder',
    write: () => beside({ name: 'a', content: 'x' }, { name: 'a/b', content: 'x' }),
    message: /^a:/,
  },
  {
    title: 'a folder that is also a file',
    write: () => beside({ name: 'a/', mode: 0o040755 }, { name: 'a', content: 'x' }),
    message: /^a:/,
  },
]

const kinds: readonly HostileArchive[] = [
  ...[
    ['a link out of the package', 0o120777, '/etc/passwd'],
    ['a link in the package', 0o120777, 'problem.yaml'],
    ['a device', 0o020666, ''],
    ['a pipe', 0o010666, ''],
    ['a socket', 0o140666, ''],
  ].map(([title, mode, content]) => ({
    title: String(title),
    write: () => beside({ name: 'attachments/x', content: String(content), mode: Number(mode) }),
    message: /^attachments\/x: /,
  })),
  ...[1, 0x41, 0x2001].map((flags) => ({
    title: `an encrypted file (flags ${flags})`,
    write: () => changed(ANSWER, { flags }),
    message: flags === 1 ? new RegExp(`^${ANSWER}: .*encrypted`) : /encrypt/,
  })),
  ...[1, 6, 9, 12, 14, 93, 95, 99].map((method) => ({
    title: `compression method ${method}`,
    write: () => changed(ANSWER, { method }),
    message: new RegExp(`^${ANSWER}: `),
  })),
]

const damages: readonly HostileArchive[] = [
  {
    title: 'a wrong checksum',
    write: () => changed(ANSWER, { crc: 1 }),
    message: new RegExp(`^${ANSWER}: .*(checksum|damaged)`),
  },
  ...[0, 1, 3, 1000].map((bytes) => ({
    title: `a size of ${bytes} bytes for two`,
    write: () => changed(ANSWER, { bytes }),
    message: new RegExp(`^${ANSWER}: `),
  })),
  {
    title: 'compressed bytes that are not compressed',
    write: () => changed(ANSWER, { data: Buffer.from('not deflated') }),
    message: new RegExp(`^${ANSWER}: `),
  },
  {
    title: 'compressed bytes that end early',
    write: () => changed(ANSWER, { data: deflateRawSync('2\n').subarray(0, 2) }),
    message: new RegExp(`^${ANSWER}: `),
  },
  {
    title: 'a file behind the end of the archive',
    write: () => changed(ANSWER, { offset: 1_000_000 }),
    message: new RegExp(`^${ANSWER}: `),
  },
  {
    title: 'a file whose place has no header',
    write: () => changed(ANSWER, { offset: 3 }),
    message: new RegExp(`^${ANSWER}: `),
  },
  {
    title: 'a file that goes on behind the end of the archive',
    write: () => changed(ANSWER, { compressedBytes: 1_000_000, bytes: 1_000_000, method: 0 }),
    message: new RegExp(`^${ANSWER}: `),
  },
]

const ARCHIVE = /package|archive|zip/i

const lies: readonly HostileArchive[] = [
  {
    title: 'fewer files in the end record',
    write: () => lying({ entries: 3 }),
    message: /^data\/sample\/1\.in: /,
  },
  { title: 'more files in the end record', write: () => lying({ entries: 12 }), message: ARCHIVE },
  { title: '65,534 files in the end record', write: () => lying({ entries: 65_534 }), message: ARCHIVE },
  { title: 'a list behind the end', write: () => lying({ listOffset: 1_000_000 }), message: ARCHIVE },
  { title: 'a list in the content', write: () => lying({ listOffset: 5 }), message: ARCHIVE },
  { title: 'a comment that is too short', write: () => lying({ commentBytes: 9 }), message: ARCHIVE },
  { title: 'bytes after the end', write: () => lying({ after: Buffer.from('garbage') }), message: ARCHIVE },
  {
    title: 'bytes before the start',
    write: () => Buffer.concat([Buffer.from('garbage'), lying({})]),
    message: ARCHIVE,
  },
  {
    title: 'an end record in the comment that names no files',
    write: () => lying({ comment: writeRawZip([]) }),
    message: ARCHIVE,
  },
  {
    title: 'an end record of zip64 with 2^60 files',
    write: () => withZip64({ entries: 1n << 60n, listBytes: 46n, listOffset: 0n }),
    message: ARCHIVE,
  },
  {
    title: 'an end record of zip64 with a list at 2^62',
    write: () => withZip64({ entries: 8n, listBytes: 46n, listOffset: 1n << 62n }),
    message: ARCHIVE,
  },
  {
    title: 'an end record of zip64 outside of the archive',
    write: () => withZip64({ entries: 8n, listBytes: 46n, listOffset: 0n }, 10_000_000),
    message: ARCHIVE,
  },
]

function withZip64(
  values: { readonly entries: bigint; readonly listBytes: bigint; readonly listOffset: bigint },
  at?: number,
): Buffer {
  const whole = lying({ entries: 0xffff, listBytes: 0xffffffff, listOffset: 0xffffffff })
  const start = whole.length - 22
  const end = writeZip64End({ at: at ?? start, ...values })
  return Buffer.concat([whole.subarray(0, start), end, whole.subarray(start)])
}

function truncations(): HostileArchive[] {
  const whole = lying({})
  const list = whole.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  const places: [string, number][] = [
    ['an empty body', 0],
    ['one byte', 1],
    ['half of the content', Math.floor(list / 2)],
    ['everything but the list', list],
    ['half of the list', Math.floor((list + whole.length - 22) / 2)],
    ['everything but the end record', whole.length - 22],
    ['half of the end record', whole.length - 11],
    ['everything but the last byte', whole.length - 1],
  ]
  return places.map(([title, bytes]) => ({
    title: `a cut archive: ${title}`,
    write: () => whole.subarray(0, bytes),
    message: ARCHIVE,
  }))
}

const others: readonly HostileArchive[] = [
  { title: 'an archive without files', write: () => writeRawZip([]), message: ARCHIVE },
  {
    title: 'an archive of folders only',
    write: () => writeRawZip([{ name: 'data/', mode: 0o040755 }]),
    message: ARCHIVE,
  },
  { title: 'a text', write: () => Buffer.from('{"title": "no zip"}'), message: ARCHIVE },
  { title: 'a gzip file', write: () => Buffer.from('1f8b0800000000000003', 'hex'), message: ARCHIVE },
  {
    title: 'a zip file in a zip file',
    write: () => writeRawZip([{ name: 'package.zip', content: lying({}) }]),
    message: /^the package: it has no problem\.yaml/,
  },
]

/** A raw deflate stream of zeros; its size is about a thousandth. */
function deflateZeros(mebibytes: number): Buffer {
  const part = deflateRawSync(Buffer.alloc(MEBIBYTE), { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat([...Array.from({ length: mebibytes }, () => part), deflateRawSync('')])
}

const manyFiles = (count: number, fields: (i: number) => Partial<RawEntry>) =>
  Array.from({ length: count }, (_, i) => ({ name: `attachments/x${i}`, content: '', ...fields(i) }))

const bombs: readonly HostileArchive[] = [
  {
    title: '10 GiB of zeros that are declared',
    write: () =>
      changed('data/secret/1.in', {
        data: deflateZeros(10 * 1024),
        bytes: 0xffffffff,
        compressedBytes: 0xffffffff,
        extra: writeZip64Sizes(10n << 30n, BigInt(deflateZeros(10 * 1024).length)),
      }),
    message: /^data\/secret\/1\.in: /,
  },
  {
    title: '10 GiB of zeros that are declared as 1,000 bytes',
    write: () => changed('data/secret/1.in', { data: deflateZeros(10 * 1024), bytes: 1000 }),
    message: /^data\/secret\/1\.in: /,
  },
  {
    title: 'a test of 65 MiB',
    write: () =>
      changed('data/secret/1.in', { data: deflateZeros(65), bytes: 65 * MEBIBYTE, crc: 0x27e3ea2d }),
    message: /^data\/secret\/1\.in: .*64 MiB/,
  },
  {
    title: '20 files of 60 MiB of zeros',
    write: () => {
      const data = deflateZeros(60)
      return beside(...manyFiles(20, () => ({ method: 8, data, bytes: 60 * MEBIBYTE })))
    },
    message: ARCHIVE,
  },
  {
    title: 'two files of 60 MiB of zeros, in an archive of 120 kB',
    write: () => {
      const data = deflateZeros(60)
      return beside(...manyFiles(2, () => ({ method: 8, data, bytes: 60 * MEBIBYTE })))
    },
    message: ARCHIVE,
  },
  {
    title: '10,000 files in the same place',
    write: () => {
      const data = deflateZeros(1)
      const fields = { method: 8, data, bytes: MEBIBYTE, crc: 0xa738ea1c }
      return writeRawZip([
        { name: 'attachments/x', ...fields },
        ...manyFiles(10_000, () => ({ ...fields, offset: 0 })),
        ...rightEntries(),
      ])
    },
    message: ARCHIVE,
  },
  {
    title: '100,000 files',
    write: () =>
      lyingCount(
        manyFiles(100_000, () => ({})),
        100_000,
      ),
    message: ARCHIVE,
  },
  {
    title: '200 names of 60,000 characters',
    write: () => beside(...manyFiles(200, (i) => ({ name: `a/${'b'.repeat(60_000)}${i}`, offset: 0 }))),
    message: /name|package/,
  },
]

/** More files than the end record can count. */
function lyingCount(entries: readonly RawEntry[], count: number): Buffer {
  const whole = writeRawZip(entries)
  const start = whole.length - 22
  const listBytes = whole.readUInt32LE(start + 12)
  const end = writeZip64End({
    at: start,
    entries: BigInt(count),
    listBytes: BigInt(listBytes),
    listOffset: BigInt(whole.readUInt32LE(start + 16)),
  })
  whole.writeUInt16LE(0xffff, start + 8)
  whole.writeUInt16LE(0xffff, start + 10)
  return Buffer.concat([whole.subarray(0, start), end, whole.subarray(start)])
}

/** Archives that must be refused with a 400, without a trace. */
export const hostileArchives: readonly HostileArchive[] = [
  ...[...names, ...kinds, ...damages, ...lies, ...truncations()],
  ...[...others, ...bombs],
]
