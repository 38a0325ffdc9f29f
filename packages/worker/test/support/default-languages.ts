import { defaultLanguagesFile, findLanguage, type Language, readLanguages } from '@judge-data-layer/languages'

export const defaultLanguages = await readLanguages(defaultLanguagesFile)

export function findDefaultLanguage(name: string): Language {
  const found = findLanguage(defaultLanguages, name)
  if (!found) throw new Error(`no language ${name}`)
  return found
}
