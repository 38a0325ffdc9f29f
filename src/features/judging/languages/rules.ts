import { findLanguage, type NamedLanguage } from '@judge-data-layer/languages'

/** The extension as it is stored: without a leading dot (D22). */
export function trimExtension(extension: string): string {
  return extension.trim().replace(/^\./, '')
}

/** Why the judge cannot run such a language, or undefined where it can (D22). */
export function whyNotJudged(
  languages: readonly NamedLanguage[],
  name: string,
  extension: string,
): string | undefined {
  const known = findLanguage(languages, name)
  if (known === undefined) {
    return `name must be one of the judge’s languages: ${languages.map((language) => language.name).join(', ')}`
  }
  const fits = known.extensions.some((own) => own.toLowerCase() === extension.toLowerCase())
  return fits ? undefined : `extension must be one of ${known.extensions.join(', ')} for ${known.name}`
}
