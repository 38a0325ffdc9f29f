/** The language of a statement whose name has none. */
export const DEFAULT_LANGUAGE = 'en'

const NAME = /^problem(?:\.([A-Za-z]{2,3})(?:-([A-Za-z]{2}))?)?\.(md|tex|pdf)$/

/** Regular expression of the paths of statements that are texts, in the files of a problem. */
export const STATEMENT_TEXT = '^statement/problem\\.[a-z]{2,3}(-[A-Z]{2})?\\.(md|tex)$'

/**
 * The language and type of a statement's file name, such as `problem.sv.md`; undefined for others.
 * The case of the language does not matter: `problem.pt-br.md` is in `pt-BR`.
 */
export function parseStatementName(name: string): { language: string; type: string } | undefined {
  const [, language = DEFAULT_LANGUAGE, region, type] = NAME.exec(name) ?? []
  if (type === undefined) return undefined
  const code = language.toLowerCase()
  return { language: region === undefined ? code : `${code}-${region.toUpperCase()}`, type }
}
