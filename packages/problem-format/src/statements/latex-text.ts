import { lineAt } from '../package/package-files.ts'
import { addRaw, insertRaw, readLatexSource, tidyText } from './latex-source.ts'
import { FILE_COMMANDS, isOutside } from './latex-symbols.ts'
import { LatexWriter } from './latex-writer.ts'

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
    const text = new LatexWriter(source.raw).write(content)
    const inserted = insertRaw(tidyText(text), source.raw)
    return inserted.trim() === '' ? null : `${inserted.trim()}\n`
  } catch {
    return null
  }
}

/**
 * The problem's name in a LaTeX text: `%% plainproblemname:`, or `\problemname{…}` without
 * commands.
 */
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

/** Commands of a LaTeX text that are dropped. */
export interface FileUse {
  /** Each once. */
  readonly commands: readonly string[]
  /** The line (from 1) of the first one. */
  readonly line: number
}

/** The commands that read or write files; undefined if there are none. */
export function findFileCommands(latex: string): FileUse | undefined {
  const found = [...dropComments(latex).matchAll(/\\([a-zA-Z@]+)/g)].filter(([, name = '']) =>
    FILE_COMMANDS.includes(name),
  )
  return describeUse(latex, found)
}

/** The pictures with a path outside the statement's folder; undefined if there are none. */
export function findOutsidePictures(latex: string): FileUse | undefined {
  const found = [...dropComments(latex).matchAll(PICTURE)].filter(([, path = '']) => isOutside(path.trim()))
  return describeUse(latex, found)
}

const DEFINITION = /\\(?:(?:new|renew|provide)command|DeclareMathOperator|[egx]?def|let)(?![A-Za-z@])/g

/** The definitions of commands; undefined if there are none. */
export function findDefinitions(latex: string): FileUse | undefined {
  return describeUse(latex, [...dropComments(latex).matchAll(DEFINITION)])
}

/** The commands that place samples: the first use of each. */
export function findSampleCommands(latex: string): FileUse[] {
  const found = [...dropComments(latex).matchAll(/\\(?:nextsample|remainingsamples)(?![A-Za-z@])/g)]
  return [...new Set(found.map(([command]) => command))].flatMap(
    (command) =>
      describeUse(
        latex,
        found.filter((match) => match[0] === command),
      ) ?? [],
  )
}

/** The lengths are bounded: many of them without an end would take long. */
const PICTURE =
  /\\(?:includegraphics\*?\s{0,9}(?:\[[^\]]{0,200}\]\s{0,9})?|illustration\s{0,9}\{[^}]{0,50}\}\s{0,9})\{([^}]{0,200})\}/g

function describeUse(latex: string, found: readonly RegExpMatchArray[]): FileUse | undefined {
  const [first] = found
  if (first === undefined) return undefined
  const commands = [...new Set(found.map(([command]) => command))]
  return { commands, line: lineAt(dropComments(latex), first.index ?? 0) }
}

const dropComments = (latex: string) =>
  latex.replace(/(\\[\s\S])|%[^\n]*/g, (_, escaped: string | undefined) => escaped ?? '')

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
