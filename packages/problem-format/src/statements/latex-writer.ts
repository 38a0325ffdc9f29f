import { lookUp } from '../package/collections.ts'
import { isMacro, isString, type Node, NodeReader, type Nodes, splitNodes } from './latex-nodes.ts'
import { addRaw, makeCodeSpan, tidyText } from './latex-source.ts'
import {
  ACCENTS,
  DROPPED,
  ENVIRONMENT_ARGUMENTS,
  EXACT_SYMBOLS,
  FIGURES,
  FILE_COMMANDS,
  HEADINGS,
  isOutside,
  SECTIONS,
  STYLES,
  SWITCHES,
  SYMBOLS,
  TABLES,
} from './latex-symbols.ts'

/** What surrounds a text. */
interface Surroundings {
  readonly raw: string[]
  /** The number of lists and quotes around it. */
  readonly level: number
  /** The number of switches such as `\bf` that it follows, each up to the end of its group. */
  readonly switches: number
  /** In a figure: its first picture gets the captions. */
  readonly figure?: Figure
}

interface Figure {
  readonly captions: string[]
  /** The number of the raw part for the picture's caption. */
  place?: number
}

/** Deeper lists are not indented, so that the text does not grow with each level. */
const MOST_INDENTED_LEVELS = 6
/** More in the same group have no effect: each one reads the rest of the group again. */
const MOST_SWITCHES = 10

const LISTS = ['itemize', 'enumerate', 'description']
const QUOTES = ['quote', 'quotation', 'verse']

/** Writes nodes of a LaTeX text as light Markdown. `raw` takes the parts that stay as they are. */
export function writeLatex(nodes: Nodes, raw: string[]): string {
  const document = nodes.find((node) => node.type === 'environment' && node.env === 'document')
  const content = document?.type === 'environment' ? document.content : nodes
  return writeNodes(content, { raw, level: 0, switches: 0 })
}

function writeNodes(nodes: Nodes, around: Surroundings): string {
  const reader = new NodeReader(nodes)
  const parts: string[] = []
  let isAfterSpace = false
  for (let node = reader.next(); node !== undefined; node = reader.next()) {
    if (isAfterSpace && node.type === 'whitespace') continue
    const written = writeNode(node, reader, around)
    const part = isAfterSpace ? written.replace(/^ +/, '') : written
    if (part === '') continue
    parts.push(part)
    isAfterSpace = /\s$/.test(part.slice(-1))
  }
  return parts.join('')
}

function writeNode(node: Node, reader: NodeReader, around: Surroundings): string {
  switch (node.type) {
    case 'string':
      return node.content
    case 'whitespace':
      return ' '
    case 'parbreak':
      return '\n\n'
    case 'group':
      return writeNodes(node.content, around)
    case 'macro':
      return writeMacro(node.content, reader, around)
    case 'environment':
      return writeEnvironment(node, around)
    default:
      return ''
  }
}

function writeMacro(name: string, reader: NodeReader, around: Surroundings): string {
  const write = (nodes: Nodes | undefined) => writeNodes(nodes ?? [], around)
  if (name === '\\') return writeLineBreak(reader)
  if (FILE_COMMANDS.includes(name)) return drop(() => skipFile(reader))
  const dropped = lookUp(DROPPED, name)
  if (dropped !== undefined) return drop(() => reader.skipArguments(dropped))
  if (['def', 'edef', 'gdef', 'xdef'].includes(name)) return drop(() => reader.skipDefinition())
  const symbol = findSymbol(name, around)
  if (symbol !== undefined) return writeSymbol(name, symbol, reader)
  const style = lookUp(STYLES, name)
  if (style !== undefined) return applyStyle(style, write(reader.takeGroup()), around)
  const isSwitch = lookUp(SWITCHES, name)
  if (isSwitch !== undefined) return writeSwitched(isSwitch, reader, around)
  const accent = lookUp(ACCENTS, name)
  if (accent !== undefined) return addAccent(accent, reader.takeLetter(), write)
  return writeCommand(name, reader, around)
}

function writeSwitched(style: '*' | '**' | '`', reader: NodeReader, around: Surroundings): string {
  if (around.switches >= MOST_SWITCHES) return drop(() => reader.skipSpace())
  const inside = { ...around, switches: around.switches + 1 }
  return applyStyle(style, writeNodes(takeSwitched(reader) ?? [], inside), around)
}

function findSymbol(name: string, { raw }: Surroundings): string | undefined {
  const exact = lookUp(EXACT_SYMBOLS, name)
  return exact === undefined ? lookUp(SYMBOLS, name) : addRaw(raw, exact)
}

/** Commands with a form of their own. Unknown ones keep the text of their last argument. */
function writeCommand(name: string, reader: NodeReader, around: Surroundings): string {
  const write = (nodes: Nodes | undefined) => writeNodes(nodes ?? [], around).trim()
  reader.skipStar()
  reader.skipOptions()
  const level = lookUp(HEADINGS, name)
  if (level !== undefined) return writeHeading(level, write(reader.takeGroup()))
  if (name === 'item') return '\n- '
  if (name === 'includegraphics') return writePicture(write(reader.takeGroup()), '', around)
  if (name === 'illustration') {
    reader.takeGroup()
    const file = write(reader.takeGroup())
    return writePicture(file, write(reader.takeGroup()), around)
  }
  if (name === 'caption') return writeCaption(write(reader.takeGroup()), around)
  if (name === 'footnote') return ` (${write(reader.takeGroup())})`
  if (name === 'href') return writeLink(around.raw, write(reader.takeGroup()), write(reader.takeGroup()))
  if (name === 'epigraph')
    return writeQuote(`${write(reader.takeGroup())}\n— ${write(reader.takeGroup())}`, around)
  return writeNodes(takeLastArgument(reader), around)
}

function writePicture(file: string, caption: string, { raw, figure }: Surroundings): string {
  if (file === '' || isOutside(file)) return ''
  if (figure === undefined || figure.place !== undefined || caption !== '')
    return block(`![${tidyCaption(caption)}](${addRaw(raw, file)})`)
  figure.place = raw.length
  return block(`![${addRaw(raw, '')}](${addRaw(raw, file)})`)
}

function applyStyle(style: '*' | '**' | '`', text: string, { raw }: Surroundings): string {
  const inner = text.trim()
  if (inner === '' || inner.includes('\n\n')) return text
  const [before, after] = [text.startsWith(' ') ? ' ' : '', text.endsWith(' ') ? ' ' : '']
  const styled = style === '`' ? addRaw(raw, makeCodeSpan(inner)) : `${style}${inner}${style}`
  return `${before}${styled}${after}`
}

function writeEnvironment(
  environment: Extract<Node, { type: 'environment' | 'mathenv' }>,
  around: Surroundings,
): string {
  const { env } = environment
  const reader = new NodeReader(environment.content)
  reader.skipArguments(lookUp(ENVIRONMENT_ARGUMENTS, env) ?? 0)
  const nodes = reader.takeRest()
  const inside = { ...around, level: around.level + 1 }
  if (env === 'tikzpicture') return ''
  if (LISTS.includes(env)) return writeList(env, nodes, inside)
  if (TABLES.includes(env)) return writeTable(nodes, around)
  if (FIGURES.includes(env)) return writeFigure(nodes, around)
  if (QUOTES.includes(env)) return writeQuote(writeNodes(nodes, inside), inside)
  const heading = SECTIONS.includes(env) ? writeHeading(2, env) : ''
  return `${heading}${block(writeNodes(nodes, around))}`
}

function writeList(env: string, nodes: Nodes, around: Surroundings): string {
  const [, ...items] = splitNodes(nodes, (node) => isMacro(node, 'item'))
  const lines = items.map((item, i) => {
    const reader = new NodeReader(item)
    const label = writeNodes(reader.takeOption() ?? [], around).trim()
    const mark = env === 'enumerate' ? `${i + 1}. ` : '- '
    const text = writeNodes(reader.takeRest(), around).trim()
    return `${mark}${indent([label && `**${label}**`, text].filter(Boolean).join(' '), ' '.repeat(mark.length), around)}`
  })
  return block(lines.join('\n'))
}

function writeQuote(text: string, around: Surroundings): string {
  return block(around.level > MOST_INDENTED_LEVELS ? text : `> ${text.trim().replaceAll('\n', '\n> ')}`)
}

function writeTable(nodes: Nodes, around: Surroundings): string {
  const rows = splitNodes(nodes, (node) => isMacro(node, '\\') || isMacro(node, 'tabularnewline'))
  const lines = rows.map((row) => {
    const cells = splitNodes(row, (node) => isString(node, '&'))
    const texts = cells.map((cell, i) => {
      const reader = new NodeReader(cell)
      // The option of the line break before.
      if (i === 0) reader.takeOption()
      return writeNodes(reader.takeRest(), around).replace(/\s+/g, ' ').trim()
    })
    return texts.join(' | ').trim()
  })
  return block(lines.filter((line) => /[^|\s]/.test(line)).join('\n'))
}

function writeFigure(nodes: Nodes, around: Surroundings): string {
  const figure: Figure = { captions: [] }
  const text = writeNodes(nodes, { ...around, figure })
  const captions = figure.captions.join(' ')
  if (figure.place === undefined) return block(`${text.trim()}\n\n${captions}`)
  around.raw[figure.place] = tidyCaption(tidyText(captions))
  return block(text)
}

function writeCaption(caption: string, { figure }: Surroundings): string {
  if (figure === undefined) return block(caption)
  figure.captions.push(caption)
  return ''
}

const tidyCaption = (caption: string) => caption.replace(/\s+/g, ' ').replace(/[[\]]/g, '\\$&')

function drop(skip: () => unknown): string {
  skip()
  return ''
}

function skipFile(reader: NodeReader): void {
  reader.skipStar()
  reader.skipOptions()
  reader.skipWord()
}

const block = (text: string) => `\n\n${text.trim()}\n\n`

const writeHeading = (level: number, text: string) =>
  block(`${'#'.repeat(level)} ${text.replace(/\s+/g, ' ')}`)

/** The next group, if it follows directly; else everything up to the end. */
function takeSwitched(reader: NodeReader): Nodes | undefined {
  if (reader.isBeforeGroup()) return reader.takeGroup()
  reader.skipSpace()
  return reader.takeRest()
}

function writeLineBreak(reader: NodeReader): string {
  reader.skipStar()
  reader.takeOption()
  reader.skipSpace()
  return '\n'
}

/** A command made of letters ends at a space or an empty group, which are no part of the text. */
function writeSymbol(name: string, symbol: string, reader: NodeReader): string {
  if (/^[a-zA-Z]/.test(name) && !reader.isBeforeGroup()) reader.skipSpace()
  return symbol
}

function addAccent(accent: string, letter: string | Nodes, write: (nodes: Nodes) => string): string {
  const text = typeof letter === 'string' ? letter : write(letter)
  const [first = '', ...others] = text.replace(/^ı/, 'i').replace(/^ȷ/, 'j')
  return `${first}${accent}${others.join('')}`
}

function writeLink(raw: readonly string[], mark: string, text: string): string {
  const address = mark.replace(/^\uE000(\d+)\uE001$/, (_, number: string) => raw[Number(number)] ?? '')
  const isLink = /^(?:https?:|mailto:|ftp:)[^\s()<>]*$/.test(address)
  return isLink && text !== '' ? `[${text}](${mark})` : text || mark
}

function takeLastArgument(reader: NodeReader): Nodes {
  let last: Nodes = []
  while (reader.isBeforeGroup()) {
    last = reader.takeGroup() ?? []
    reader.skipOptions()
  }
  return last
}

function indent(text: string, by: string, { level }: Surroundings): string {
  return level > MOST_INDENTED_LEVELS ? text : text.replaceAll('\n', `\n${by}`)
}
