import { describe, expect, it } from 'vitest'
import { contestUrl, refused, zipped } from '../support/contest-api-writes.ts'
import { serviceWithContests } from '../support/contests.ts'
import { countRows } from '../support/judging.ts'
import { writeRawZip, writeZip64Sizes } from '../support/raw-zip.ts'

const contests = await serviceWithContests({ SOURCE_CODE_LIMIT_BYTES: '2000' })
const { service, problem, language } = contests
const eventId = await contests.createEvent({ problems: [{ problem_id: problem.id }] })
const participant = await contests.createParticipant(eventId)
const url = `${contestUrl(eventId)}/submissions`

const program = 'print("é")\n'
const files = await zipped(['main.py', program])
const bodyWith = (sent: unknown) => ({ problem_id: `${problem.id}`, language_id: language.id, files: sent })
const base64 = (bytes: Buffer) => [{ data: bytes.toString('base64') }]

/** Submits files; returns the program that was stored. */
async function submit(sent: unknown): Promise<string> {
  const { id } = await participant.post(url, bodyWith(sent), 201)
  return (await contests.readRecord(id)).source_code
}

/** Expects a refusal that stores nothing. */
async function expectInvalid(sent: unknown, message: RegExp) {
  const before = await countRows(service)
  await participant.post(url, bodyWith(sent), refused(400, expect.stringMatching(message)))
  expect(await countRows(service)).toEqual(before)
}

describe('the files of a submission over the Contest API (P26)', () => {
  it('are one zip with exactly one file (400)', async () => {
    const twice = [...files, ...files]
    for (const sent of [undefined, null, [], {}, 'x', twice, [{}], [{ data: 1 }], [{ data: '' }]])
      await expectInvalid(sent, /^files/)
    await expectInvalid([{ data: 'not base64!' }], /data must be Base64/)
    await expectInvalid([{ ...files[0], mime: 'application/x-tar' }], /mime/)
    await expectInvalid([{ data: 'AAAA' }], /data must be a complete zip file/)
    await expectInvalid(await zipped(), /exactly one file.*it has 0/)
    await expectInvalid(await zipped(['a.py', '1'], ['b.py', '2']), /exactly one file.*it has 2/)
    const many = Array.from({ length: 500 }, (_, index): [string, string] => [`${index}/a`, '1'])
    await expectInvalid(await zipped(...many), /it has 500/)
  })

  it('may be in folders and have any name, and metadata of macOS is ignored', async () => {
    const zip = writeRawZip([
      { name: 'src/', content: '' },
      { name: Buffer.from([0xe9, 0x2f, 0xe9]), content: program, method: 8 },
      { name: '__MACOSX/._a.py', content: 'x' },
    ])
    expect(await submit(base64(zip))).toBe(program)
    const named = [{ ...files[0], mime: 'application/zip', filename: 'files.zip', href: 'x' }]
    expect(await submit(named)).toBe(program)
  })

  it('are a program in UTF-8, not empty, within the limit (400)', async () => {
    expect(await submit(await zipped(['a', 'é'.repeat(1000)]))).toHaveLength(1000)
    await expectInvalid(await zipped(['a', `${'é'.repeat(1000)}a`]), /at most 2000 bytes/)
    await expectInvalid(await zipped(['a', '']), /must not be empty/)
    for (const content of [Buffer.from([0xe9]), 'a\0b', Buffer.from('\ud800', 'utf16le')])
      await expectInvalid(await zipped(['a', content]), /UTF-8 without U\+0000/)
  })

  it('unpack at most the limit, also if the zip declares a smaller size (400)', async () => {
    const bomb = Buffer.alloc(10_000_000)
    await expectInvalid(await zipped(['a', bomb]), /at most 2000 bytes/)
    const entry = { name: 'a', content: bomb, method: 8 }
    const zip64 = { bytes: 0xffffffff, compressedBytes: 0xffffffff, extra: writeZip64Sizes(1n << 60n, 10n) }
    for (const lie of [{ bytes: 5 }, { bytes: 0 }, { bytes: 2000 }])
      await expectInvalid(base64(writeRawZip([{ ...entry, ...lie }])), /damaged/)
    await expectInvalid(base64(writeRawZip([{ name: 'a', content: 'a', ...zip64 }])), /files/)
  })

  it('are not damaged, encrypted, or compressed in other ways (400)', async () => {
    const right = { name: 'a.py', content: program, method: 8 }
    for (const [wrong, message] of [
      [{ crc: 1 }, /damaged/],
      [{ data: Buffer.from('nonsense!') }, /damaged/],
      [{ offset: 60_000 }, /damaged/],
      [{ flags: 1 }, /encrypted|damaged/],
      [{ method: 12 }, /deflate/],
    ] as const)
      await expectInvalid(base64(writeRawZip([{ ...right, ...wrong }])), message)
    await expectInvalid(base64(writeRawZip([right], { entries: 3 })), /damaged/)
  })
})
