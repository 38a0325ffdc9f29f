import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { ZipFile } from 'yazl'
import type { Json } from './json.ts'

const archive = new ZipFile()
archive.addBuffer(Buffer.from('print(3)'), 'Main.py', { mtime: new Date(0) })
archive.end()
const program = (await buffer(archive.outputStream)).toString('base64')

/**
 * Right values whose rules a schema cannot express, by name: fields of the Contest API, and files
 * of the pages. The name of the webhook's host is reserved: nothing is ever sent.
 */
export const contestValues: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  data: fc.constant(program),
  file: fc.constantFrom('licences.txt', 'scoreboard.html'),
  group_id: fc.constant('participants'),
  url: fc.constantFrom('https://fuzz.invalid/', 'https://fuzz.invalid:8443/hook?a=b'),
}
