import type { Warnings } from '../package/package-files.ts'
import type { Credits, PackageMetadata, Person } from '../package/package-problem.ts'
import {
  faultOfPart,
  isMap,
  readMap,
  readOneOrMore,
  readOptional,
  readString,
  warnOfUnknownKeys,
  withoutUndefined,
  type YamlPart,
} from '../package/yaml-part.ts'

const ROLES = ['authors', 'contributors', 'testers', 'packagers', 'acknowledgements']

type Source = NonNullable<PackageMetadata['source']>[number]

/** `credits`: a string with one author, or a map with the persons of each role. */
export function readCredits(part: YamlPart, warnings: Warnings): Credits {
  if (!isMap(part)) return { authors: [parsePerson(readString(part))] }
  const map = readMap(part)
  warnOfUnknownKeys(map, [...ROLES, 'translators'], warnings)
  const persons = (role: string) =>
    readOptional(map, role, (value) => noneIfEmpty(readOneOrMore(value, (one) => readPerson(one, warnings))))
  return withoutUndefined({
    authors: persons('authors'),
    contributors: persons('contributors'),
    testers: persons('testers'),
    translators: readOptional(map, 'translators', (value) =>
      readByLanguage(value, (one) => readOneOrMore(one, (person) => readPerson(person, warnings))),
    ),
    packagers: persons('packagers'),
    acknowledgements: persons('acknowledgements'),
  })
}

/** The authors of a legacy `author`: names between commas and the word `and`. */
export function readAuthors(part: YamlPart): Person[] {
  const names: string[][] = [[]]
  for (const word of readString(part).replaceAll(',', ' , ').split(/\s+/)) {
    if (word === ',' || word === 'and') names.push([])
    else names.at(-1)?.push(word)
  }
  return names.filter((words) => words.length > 0).map((words) => parsePerson(words.join(' ')))
}

/** `source`: one source or a list of them, each a name or a map with `name` and `url`. */
export function readSources(part: YamlPart, warnings: Warnings): Source[] | undefined {
  return noneIfEmpty(readOneOrMore(part, (one) => readSource(one, warnings)))
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

function readPerson(part: YamlPart, warnings: Warnings): Person {
  if (!isMap(part)) return parsePerson(readString(part))
  const map = readMap(part)
  warnOfUnknownKeys(map, ['name', 'email', 'orcid', 'kattis'], warnings)
  return withoutUndefined({
    name: readName(part),
    email: readOptional(map, 'email', readString),
    orcid: readOptional(map, 'orcid', readString),
    kattis: readOptional(map, 'kattis', readString),
  })
}

function readSource(part: YamlPart, warnings: Warnings): Source {
  if (!isMap(part)) return { name: readString(part) }
  const map = readMap(part)
  warnOfUnknownKeys(map, ['name', 'url'], warnings)
  return withoutUndefined({ name: readName(part), url: readOptional(map, 'url', readString) })
}

function readName(part: YamlPart): string {
  const name = readOptional(readMap(part), 'name', readString)
  if (name === undefined) throw faultOfPart(part, 'must have a name')
  return name
}

const noneIfEmpty = <T>(list: T[]) => (list.length > 0 ? list : undefined)
