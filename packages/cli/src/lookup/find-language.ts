import { extname } from 'node:path'
import type { Schemas } from '@judge-data-layer/client'
import { defaultLanguagesFile, findLanguage, readNamedLanguages } from '@judge-data-layer/languages'
import { usageError } from '../shared/errors.ts'

type Language = Schemas['Language']

/** Finds a language by its name, an alias, an id or an extension. Throws a usage error. */
export async function findNamedLanguage(languages: readonly Language[], name: string): Promise<Language> {
  const wanted = name.toLowerCase()
  const named = findLanguage(await readNamedLanguages(defaultLanguagesFile), name)?.name ?? name
  const found =
    languages.find((language) => language.name.toLowerCase() === wanted || language.id === wanted) ??
    languages.find((language) => language.name === named)
  return found ?? (await findByExtension(languages, wanted, `the language ${name}`))
}

/** Finds the language of a file by its extension. Throws a usage error. */
export function findLanguageOfFile(languages: readonly Language[], file: string): Promise<Language> {
  return findByExtension(languages, extname(file).slice(1).toLowerCase(), `the language of ${file}`)
}

async function findByExtension(
  languages: readonly Language[],
  extension: string,
  what: string,
): Promise<Language> {
  const usual = languages.filter((language) => language.extension === extension)
  // The service shows one extension of each language; the language file has all of them.
  const known = await readNamedLanguages(defaultLanguagesFile)
  const names = known.filter(({ extensions }) => extensions.includes(extension)).map(({ name }) => name)
  const found = usual.length > 0 ? usual : languages.filter(({ name }) => names.includes(name))
  const [language, ...others] = found
  if (language !== undefined && others.length === 0) return language
  const choices = (language === undefined ? languages : found).map(({ name }) => name).join(', ')
  throw usageError(`Cannot tell ${what}. Give --language with one of: ${choices}`)
}
