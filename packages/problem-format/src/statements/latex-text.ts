import { lineAt, type Warnings } from '../package/package-files.ts'
import { addRaw, insertRaw, readLatexSource, tidyText } from './latex-source.ts'
import { FILE_COMMANDS, isOutside } from './latex-symbols.ts'
import { writeLatex } from './latex-writer.ts'

/**
 * A LaTeX text as plain text with light Markdown: headings, lists, math in `$`. Null if this is not
 * possible: a text that is too long, does not close what it opens, or is empty. Reads no other
 * file.
 */
export async function renderLatex(latex: string): Promise<string | null> {
  const source = readLatexSource(latex)
  if (source === undefined) return null
  // The library is large: it is loaded only for such texts.
  const { parseMinimal } = await import('@unified-latex/unified-latex-util-parse')
  try {
    const { content } = parseMinimal(source.text)
    const text = writeLatex(content, source.raw)
    const inserted = insertRaw(tidyText(text), source.raw)
    return inserted.trim() === '' ? null : `${inserted.trim()}\n`
  } catch {
    return null
  }
}

/** The problem's name: of `%% plainproblemname:`, or of `\problemname{…}` without its commands. */
export function readProblemName(latex: string): string | undefined {
  const plain = /^[ \t]*%%[ \t]*plainproblemname:([^\n]*)$/m.exec(latex)?.[1]?.trim()
  if (plain) return plain
  const visible = dropComments(latex)
  const start = /\\problemname\s*\{/.exec(visible)
  if (start === null) return undefined
  const from = start.index + start[0].length
  const name = readBraces(visible.slice(from, from + 1000))
  return (name && tidyName(name)) || undefined
}

const DEFINITION = /\\(?:(?:new|renew|provide)command|DeclareMathOperator|[egx]?def|let)(?![A-Za-z@])/g
/** The lengths are bounded: many of them without an end would take long. */
const PICTURE =
  /\\(?:includegraphics\*?\s{0,9}(?:\[[^\]]{0,200}\]\s{0,9})?|illustration\s{0,9}\{[^}]{0,50}\}\s{0,9})\{([^}]{0,200})\}/g

/** Why the commands that place samples are dropped. */
export const SAMPLES_PLACE = 'samples are shown after the statement'

/** Warns about commands that are dropped: for each reason once, with the line of the first one. */
export function warnOfDropped(path: string, latex: string, warnings: Warnings): void {
  const visible = dropComments(latex)
  const find = (pattern: RegExp) => [...visible.matchAll(pattern)]
  const warn = (reason: string, found: readonly RegExpMatchArray[]) => {
    const commands = [...new Set(found.map(([command]) => command))]
    if (commands.length === 0) return
    const verb = commands.length === 1 ? 'is' : 'are'
    const line = lineAt(visible, found[0]?.index ?? 0)
    warnings.add(path, `${commands.slice(0, 20).join(', ')} ${verb} dropped: ${reason}`, line)
  }
  const files = find(/\\([a-zA-Z@]+)/g).filter(([, name = '']) => FILE_COMMANDS.includes(name))
  warn('a statement cannot use other files', files)
  const pictures = find(PICTURE).filter(([, file = '']) => isOutside(file.trim()))
  warn('pictures must be in the folder of the statement', pictures)
  warn('commands of the author are not expanded', find(DEFINITION))
  const samples = find(/\\(?:nextsample|remainingsamples)(?![A-Za-z@])/g)
  for (const command of new Set(samples.map(([name]) => name))) {
    const uses = samples.filter(([name]) => name === command)
    warn(SAMPLES_PLACE, uses)
  }
}

/** The text without comments. A call of a function for each backslash would take seconds. */
function dropComments(latex: string): string {
  const parts: string[] = []
  let from = 0
  for (let at = latex.indexOf('%'); at >= 0; at = latex.indexOf('%', at + 1)) {
    if (isEscaped(latex, at)) continue
    parts.push(latex.slice(from, at))
    const end = latex.indexOf('\n', at)
    from = end < 0 ? latex.length : end
    at = from
  }
  return [...parts, latex.slice(from)].join('')
}

/** True after an odd number of backslashes. */
function isEscaped(latex: string, at: number): boolean {
  let start = at
  while (latex[start - 1] === '\\') start -= 1
  return (at - start) % 2 === 1
}

/** The text up to the brace that closes it. */
function readBraces(latex: string): string | undefined {
  let level = 1
  for (const { 0: token, index } of latex.matchAll(/\\[\s\S]|[{}]/g)) {
    if (token === '{') level += 1
    if (token === '}') level -= 1
    if (level === 0) return latex.slice(0, index)
  }
  return undefined
}

function tidyName(name: string): string {
  const raw: string[] = []
  const text = name
    .replace(/\\[\s\S]|\$[^$]+\$/g, (part) => (part.startsWith('$') ? addRaw(raw, part) : part))
    .replace(/\\([%&#_{}$])/g, (_, character: string) => addRaw(raw, character))
    .replace(/\\[a-zA-Z]+\*?[ \t]?|\\[\s\S]|[{}]/g, '')
  return insertRaw(tidyText(text).replace(/\s+/g, ' '), raw).trim()
}
