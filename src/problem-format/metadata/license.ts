import type { Warnings } from '../package-files.ts'
import { lineOfPart, readString, type YamlPart } from '../yaml-part.ts'

/** The licences of the format. */
const LICENSES = ['unknown', 'public domain', 'cc0', 'cc by', 'cc by-sa', 'educational', 'permission']

/** A licence of the format. Others are `unknown`, with a warning. */
export function readLicense(part: YamlPart, warnings: Warnings): string {
  const text = readString(part)
  const license = text.toLowerCase()
  if (LICENSES.includes(license)) return license
  const known = LICENSES.join(', ')
  const message = `license: "${text}" is imported as unknown; the licences of the format are ${known}`
  warnings.add(part.file.path, message, lineOfPart(part))
  return 'unknown'
}
