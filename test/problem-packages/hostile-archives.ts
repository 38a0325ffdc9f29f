import { constants, deflateRawSync } from 'node:zlib'
import * as zip from '../support/raw-zip.ts'
import { smallPackage } from '../support/small-package.ts'

/** An archive that must be refused; its message matches `message`. */
export interface HostileArchive {
  readonly title: string
  readonly write: () => Buffer
  readonly message: RegExp
}

const MEBIBYTE = 1024 * 1024
const INPUT = 'data/secret/1.in'
const ANSWER = 'data/secret/1.ans'
const END_BYTES = 22
const ARCHIVE = /package|archive|zip/i

const refused = (title: string, write: () => Buffer, message = ARCHIVE): HostileArchive => ({
  ...{ title, write, message },
})

/** The entries of a right package. */
const rightEntries = (): zip.RawEntry[] =>
  smallPackage().map(([name, content]) => ({ name, content, method: 8 }))

/** The right package and other files. */
const beside = (title: string, message: RegExp, ...entries: zip.RawEntry[]) =>
  refused(title, () => zip.writeRawZip([...rightEntries(), ...entries]), message)
/** The right package with another list of files or end record. */
const lying = (title: string, archive: zip.RawArchive, message = ARCHIVE) =>
  refused(title, () => zip.writeRawZip(rightEntries(), archive), message)
/** The right package, except for the fields of one file. */
const changed = (name: string, fields: Partial<zip.RawEntry>) =>
  zip.writeRawZip(rightEntries().map((entry) => (entry.name === name ? { ...entry, ...fields } : entry)))
const badAnswer = (title: string, fields: Partial<zip.RawEntry>, message = /^data\/secret\/1\.ans: /) =>
  refused(title, () => changed(ANSWER, fields), message)

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const UNSAFE = [
  ...['../x', 'a/../../x', 'data/../problem.yaml', 'data/./secret/2.in', '..', './x', 'data//x', '/etc/x'],
  ...['//x', 'C:/x', 'C:x', 'c:\\x', 'data\\secret\\2.in', '\\\\host\\x', '..\\x', '/'],
]

const names: readonly HostileArchive[] = [
  ...UNSAFE.map((name) =>
    beside(`the name ${name}`, new RegExp(`^"?${escaped(JSON.stringify(name).slice(1, -1))}`), {
      ...{ name, content: 'x' },
    }),
  ),
  beside('a name of 32,000 nested folders', /name/, { name: `${'a/'.repeat(32_000)}b`, content: 'x' }),
  beside('a name of 60,000 characters', /name/, { name: 'a'.repeat(60_000), content: 'x' }),
  beside('a name in Latin-1 without the UTF-8 flag', /UTF-8/, {
    ...{ name: Buffer.from('caf\xe9.txt', 'latin1'), content: 'x', flags: 0 },
  }),
  beside('a name with the UTF-8 flag that is not UTF-8', /UTF-8/, {
    ...{ name: Buffer.from([0x61, 0xc3, 0x28]), content: 'x' },
  }),
  beside('a file twice', new RegExp(ANSWER), { name: ANSWER, content: '2\n' }),
  beside('a file that is also a folder', /^a:/, { name: 'a', content: 'x' }, { name: 'a/b', content: 'x' }),
  beside('a folder that is also a file', /^a:/, { name: 'a/', mode: 0o040755 }, { name: 'a', content: 'x' }),
]

const KINDS: readonly (readonly [title: string, mode: number, content: string])[] = [
  ['a link out of the package', 0o120777, '/etc/passwd'],
  ['a link in the package', 0o120777, 'problem.yaml'],
  ['a device', 0o020666, ''],
  ['a pipe', 0o010666, ''],
  ['a socket', 0o140666, ''],
]

const kinds: readonly HostileArchive[] = [
  ...KINDS.map(([title, mode, content]) =>
    beside(title, /^attachments\/x: /, { name: 'attachments/x', content, mode }),
  ),
  badAnswer('an encrypted file', { flags: 1 }, /^data\/secret\/1\.ans: .*encrypted/),
  ...[0x41, 0x2001].map((flags) => badAnswer(`an encrypted file (flags ${flags})`, { flags }, /encrypt/)),
  ...[1, 9, 12, 99].map((method) => badAnswer(`compression method ${method}`, { method })),
]

const damages: readonly HostileArchive[] = [
  badAnswer('a wrong checksum', { crc: 1 }, /^data\/secret\/1\.ans: .*(checksum|damaged)/),
  ...[0, 1, 3, 1000].map((bytes) => badAnswer(`a size of ${bytes} bytes for two`, { bytes })),
  badAnswer('compressed bytes that are not compressed', { data: Buffer.from('not deflated') }),
  badAnswer('compressed bytes that end early', { data: deflateRawSync('2\n').subarray(0, 2) }),
  badAnswer('a file behind the end of the archive', { offset: 1_000_000 }),
  badAnswer('a file whose place has no header', { offset: 3 }),
  badAnswer('a file that goes on behind the end of the archive', {
    ...{ compressedBytes: 1_000_000, bytes: 1_000_000, method: 0 },
  }),
]

const zip64 = (title: string, entries: bigint, listOffset: bigint, at?: number) =>
  refused(title, () => {
    const lie = { entries: 0xffff, listBytes: 0xffffffff, listOffset: 0xffffffff }
    return insertZip64End(zip.writeRawZip(rightEntries(), lie), { entries, listBytes: 46n, listOffset }, at)
  })

const lies: readonly HostileArchive[] = [
  lying('fewer files in the end record', { entries: 3 }, /^data\/sample\/1\.in: /),
  lying('more files in the end record', { entries: 12 }),
  lying('65,534 files in the end record', { entries: 65_534 }),
  lying('a list behind the end', { listOffset: 1_000_000 }),
  lying('a list in the content', { listOffset: 5 }),
  lying('a comment that is too short', { commentBytes: 9 }),
  lying('bytes after the end', { after: Buffer.from('garbage') }),
  refused('bytes before the start', () =>
    Buffer.concat([Buffer.from('garbage'), zip.writeRawZip(rightEntries())]),
  ),
  lying('an end record in the comment that names no files', { comment: zip.writeRawZip([]) }),
  zip64('an end record of zip64 with 2^60 files', 1n << 60n, 0n),
  zip64('an end record of zip64 with a list at 2^62', 8n, 1n << 62n),
  zip64('an end record of zip64 outside of the archive', 8n, 0n, 10_000_000),
]

type Zip64 = Omit<Parameters<typeof zip.writeZip64End>[0], 'at'>

/** Adds the end record of zip64; its locator names the place `at`, by default the right one. */
function insertZip64End(whole: Buffer, values: Zip64, at = whole.length - END_BYTES): Buffer {
  const start = whole.length - END_BYTES
  return Buffer.concat([
    whole.subarray(0, start),
    zip.writeZip64End({ at, ...values }),
    whole.subarray(start),
  ])
}

function truncations(): HostileArchive[] {
  const whole = zip.writeRawZip(rightEntries())
  const list = whole.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  const end = whole.length - END_BYTES
  const places: [string, number][] = [
    ['an empty body', 0],
    ['one byte', 1],
    ['half of the content', Math.floor(list / 2)],
    ['everything but the list', list],
    ['half of the list', Math.floor((list + end) / 2)],
    ['everything but the end record', end],
    ['half of the end record', whole.length - 11],
    ['everything but the last byte', whole.length - 1],
  ]
  return places.map(([title, bytes]) => refused(`a cut archive: ${title}`, () => whole.subarray(0, bytes)))
}

const others: readonly HostileArchive[] = [
  refused('an archive without files', () => zip.writeRawZip([])),
  refused('an archive of folders only', () => zip.writeRawZip([{ name: 'data/', mode: 0o040755 }])),
  refused('a text', () => Buffer.from('{"title": "no zip"}')),
  refused('a gzip file', () => Buffer.from('1f8b0800000000000003', 'hex')),
  refused(
    'a zip file in a zip file',
    () => zip.writeRawZip([{ name: 'package.zip', content: zip.writeRawZip(rightEntries()) }]),
    /^the package: it has no problem\.yaml/,
  ),
]

/** A raw deflate stream of zeros; its size is about a thousandth. */
function deflateZeros(mebibytes: number): Buffer {
  const part = deflateRawSync(Buffer.alloc(MEBIBYTE), { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat([...Array.from({ length: mebibytes }, () => part), deflateRawSync('')])
}

const manyFiles = (count: number, fieldsOf: (i: number) => Partial<zip.RawEntry>): zip.RawEntry[] =>
  Array.from({ length: count }, (_, i) => ({ name: `attachments/x${i}`, content: '', ...fieldsOf(i) }))

const zeroFiles = (count: number) => {
  const fields = { method: 8, data: deflateZeros(60), bytes: 60 * MEBIBYTE }
  return zip.writeRawZip([...rightEntries(), ...manyFiles(count, () => fields)])
}

const OF_INPUT = /^data\/secret\/1\.in: /
const GIBIBYTES_10 = 10 * 1024

const bombs: readonly HostileArchive[] = [
  refused(
    '10 GiB of zeros that are declared',
    () => {
      const data = deflateZeros(GIBIBYTES_10)
      const extra = zip.writeZip64Sizes(10n << 30n, BigInt(data.length))
      return changed(INPUT, { data, bytes: 0xffffffff, compressedBytes: 0xffffffff, extra })
    },
    OF_INPUT,
  ),
  refused(
    '10 GiB of zeros that are declared as 1,000 bytes',
    () => changed(INPUT, { data: deflateZeros(GIBIBYTES_10), bytes: 1000 }),
    OF_INPUT,
  ),
  refused(
    'a test of 65 MiB',
    () => changed(INPUT, { data: deflateZeros(65), bytes: 65 * MEBIBYTE, crc: 0x27e3ea2d }),
    /^data\/secret\/1\.in: .*64 MiB/,
  ),
  refused('20 files of 60 MiB of zeros', () => zeroFiles(20)),
  refused('two files of 60 MiB of zeros, in an archive of 120 kB', () => zeroFiles(2)),
  refused('10,000 files in the same place', () => {
    const fields = { method: 8, data: deflateZeros(1), bytes: MEBIBYTE, crc: 0xa738ea1c }
    return zip.writeRawZip([
      { name: 'attachments/x', ...fields },
      ...manyFiles(10_000, () => ({ ...fields, offset: 0 })),
      ...rightEntries(),
    ])
  }),
  refused('100,000 files', () => writeManyFiles(100_000)),
  refused(
    '200 names of 60,000 characters',
    () => {
      const named = manyFiles(200, (i) => ({ name: `a/${'b'.repeat(60_000)}${i}`, offset: 0 }))
      return zip.writeRawZip([...rightEntries(), ...named])
    },
    /name|package/,
  ),
]

/** More files than the end record can count. */
function writeManyFiles(count: number): Buffer {
  const whole = zip.writeRawZip(manyFiles(count, () => ({})))
  const end = whole.length - END_BYTES
  const listBytes = BigInt(whole.readUInt32LE(end + 12))
  const listOffset = BigInt(whole.readUInt32LE(end + 16))
  whole.writeUInt16LE(0xffff, end + 8)
  whole.writeUInt16LE(0xffff, end + 10)
  return insertZip64End(whole, { entries: BigInt(count), listBytes, listOffset })
}

/** Archives that must be refused with a 400, without a trace. */
export const hostileArchives: readonly HostileArchive[] = [
  ...[...names, ...kinds, ...damages, ...lies, ...truncations()],
  ...[...others, ...bombs],
]
