import {
  type Credits,
  type FormatVersion,
  isLegacy,
  type PackageMetadata,
  type Person,
  ROLES,
} from '../package/package-problem.ts'
import {
  faultOfPart,
  isMap,
  readMap,
  readOneOrMore,
  readOptional,
  readString,
  warnOfPart,
  warnOfUnknownKeys,
  withoutUndefined,
  type YamlMap,
  type YamlPart,
} from '../package/yaml-part.ts'

type Source = NonNullable<PackageMetadata['source']>[number]

/** Where a problem comes from, and who may use it. */
export function readOrigin(map: YamlMap, format: FormatVersion) {
  const origin = withoutUndefined({
    credits: readAllCredits(map, format),
    source: readOrigins(map, format),
    license: readOptional(map, 'license', readLicense),
    rights_owner: readOptional(map, 'rights_owner', readString),
  })
  warnOfRights(map, origin)
  return origin
}

function readAllCredits(map: YamlMap, format: FormatVersion): Credits | undefined {
  const authors = format === '2025-09' ? undefined : readOptional(map, 'author', readAuthors)
  const credits = isLegacy({ format }) ? undefined : readOptional(map, 'credits', readCredits)
  return authors === undefined || authors.length === 0 ? credits : { authors, ...credits }
}

function readOrigins(map: YamlMap, format: FormatVersion): PackageMetadata['source'] {
  const sources = readOptional(map, 'source', (part) =>
    isLegacy({ format }) ? [{ name: readString(part) }] : readSources(part),
  )
  const url = format === '2025-09' ? undefined : readOptional(map, 'source_url', readString)
  if (url === undefined) return sources
  const [source] = sources ?? []
  if (source) return [{ url, ...source }, ...(sources?.slice(1) ?? [])]
  warnOfPart(map.get('source_url'), 'not imported without source')
  return undefined
}

/** `credits`: a string with one author, or a map with the persons of each role. */
function readCredits(part: YamlPart): Credits {
  if (!isMap(part)) return { authors: [parsePerson(readString(part))] }
  const map = readMap(part)
  warnOfUnknownKeys(map, [...ROLES, 'translators'])
  const persons = (role: string) =>
    readOptional(map, role, (value) => noneIfEmpty(readOneOrMore(value, readPerson)))
  return withoutUndefined({
    ...Object.fromEntries(ROLES.map((role) => [role, persons(role)])),
    translators: readOptional(map, 'translators', (value) =>
      readByLanguage(value, (one) => readOneOrMore(one, readPerson)),
    ),
  })
}

/** The authors of a legacy `author`: names between commas and the word `and`. */
function readAuthors(part: YamlPart): Person[] {
  const names: string[][] = [[]]
  for (const word of readString(part).replaceAll(',', ' , ').split(/\s+/)) {
    if (word === ',' || word === 'and') names.push([])
    else names.at(-1)?.push(word)
  }
  return names.filter((words) => words.length > 0).map((words) => parsePerson(words.join(' ')))
}

/** `source`: one source or a list of them, each a name or a map with `name` and `url`. */
function readSources(part: YamlPart): Source[] | undefined {
  return noneIfEmpty(readOneOrMore(part, readSource))
}

/** A map with a value for each language, such as `en` or `pt-BR`. */
export function readByLanguage<T>(part: YamlPart, read: (part: YamlPart) => T): Record<string, T> {
  const entries = [...readMap(part).values()].map((one) => [readLanguageCode(one), read(one)] as const)
  return Object.fromEntries(entries)
}

function readLanguageCode(part: YamlPart): string {
  const code = String(part.place.at(-1))
  if (/^[a-z]{2,3}(-[A-Z]{2})?$/.test(code)) return code
  throw faultOfPart(part, 'is not a language code, such as en or pt-BR')
}

/** The person of a text such as `Ada <ada@example.org>`. */
export function parsePerson(text: string): Person {
  const start = text.lastIndexOf('<')
  const name = text.slice(0, Math.max(start, 0)).trim()
  const email = text.slice(start + 1, -1).trim()
  return text.endsWith('>') && name !== '' && email !== '' ? { name, email } : { name: text }
}

function readPerson(part: YamlPart): Person {
  if (!isMap(part)) return parsePerson(readString(part))
  const map = readMap(part)
  warnOfUnknownKeys(map, ['name', 'email', 'orcid', 'kattis'])
  return withoutUndefined({
    name: readName(part),
    email: readOptional(map, 'email', readString),
    orcid: readOptional(map, 'orcid', readString),
    kattis: readOptional(map, 'kattis', readString),
  })
}

function readSource(part: YamlPart): Source {
  if (!isMap(part)) return { name: readString(part) }
  const map = readMap(part)
  warnOfUnknownKeys(map, ['name', 'url'])
  return withoutUndefined({ name: readName(part), url: readOptional(map, 'url', readString) })
}

function readName(part: YamlPart): string {
  const name = readOptional(readMap(part), 'name', readString)
  if (name === undefined) throw faultOfPart(part, 'must have a name')
  return name
}

const noneIfEmpty = <T>(list: T[]) => (list.length > 0 ? list : undefined)

/** The licences of the format. */
const LICENSES = ['unknown', 'public domain', 'cc0', 'cc by', 'cc by-sa', 'educational', 'permission']

/** A licence of the format. Others are `unknown`, with a warning. */
function readLicense(part: YamlPart): string {
  const text = readString(part)
  const license = text.toLowerCase()
  if (LICENSES.includes(license)) return license
  const known = LICENSES.join(', ')
  warnOfPart(part, `"${text}" is imported as unknown; the licences of the format are ${known}`)
  return 'unknown'
}

type Rights = Partial<Pick<PackageMetadata, 'license' | 'rights_owner' | 'credits' | 'source'>>

/** Warns about a licence without an owner, and about an owner in the public domain. */
function warnOfRights(map: YamlMap, rights: Rights): void {
  const { license = 'unknown', rights_owner, credits, source } = rights
  const part = map.get(license === 'public domain' ? 'rights_owner' : 'license')
  if (part === undefined || license === 'unknown') return
  if (license === 'public domain') {
    if (rights_owner !== undefined)
      warnOfPart(part, 'stored, but a problem in the public domain has no owner')
  } else if (rights_owner === undefined && credits?.authors === undefined && source === undefined)
    warnOfPart(part, `"${license}" needs an owner: add rights_owner, credits or source`)
}
