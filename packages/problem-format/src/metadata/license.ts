import type { Warnings } from '../package/package-files.ts'
import type { PackageMetadata } from '../package/package-problem.ts'
import { readString, warnOfPart, type YamlMap, type YamlPart } from '../package/yaml-part.ts'

/** The licences of the format. */
const LICENSES = ['unknown', 'public domain', 'cc0', 'cc by', 'cc by-sa', 'educational', 'permission']

/** A licence of the format. Others are `unknown`, with a warning. */
export function readLicense(part: YamlPart, warnings: Warnings): string {
  const text = readString(part)
  const license = text.toLowerCase()
  if (LICENSES.includes(license)) return license
  const known = LICENSES.join(', ')
  warnOfPart(part, warnings, `"${text}" is imported as unknown; the licences of the format are ${known}`)
  return 'unknown'
}

type Rights = Partial<Pick<PackageMetadata, 'license' | 'rights_owner' | 'credits' | 'source'>>

/** Warns about a licence without an owner, and about an owner in the public domain. */
export function warnOfRights(map: YamlMap, rights: Rights, warnings: Warnings): void {
  const { license = 'unknown', rights_owner, credits, source } = rights
  const part = map.get(license === 'public domain' ? 'rights_owner' : 'license')
  if (part === undefined || license === 'unknown') return
  if (license === 'public domain') {
    if (rights_owner !== undefined)
      warnOfPart(part, warnings, 'stored, but a problem in the public domain has no owner')
  } else if (rights_owner === undefined && credits?.authors === undefined && source === undefined)
    warnOfPart(part, warnings, `"${license}" needs an owner: add rights_owner, credits or source`)
}
