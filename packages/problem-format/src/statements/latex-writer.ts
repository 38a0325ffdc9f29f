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
export class LatexWriter {
  private readonly raw: string[]

  constructor(raw: string[]) {
    this.raw = raw
  }

  write(nodes: Nodes): string {
    const document = nodes.find((node) => node.type === 'environment' && node.env === 'document')
    const content = document?.type === 'environment' ? document.content : nodes
    return this.writeNodes(content, { level: 0, switches: 0 })
  }

  private writeNodes(nodes: Nodes, around: Surroundings): string {
    const reader = new NodeReader(nodes)
    const parts: string[] = []
    let isAfterSpace = false
    for (let node = reader.next(); node !== undefined; node = reader.next()) {
      if (isAfterSpace && node.type === 'whitespace') continue
      const written = this.writeNode(node, reader, around)
      const part = isAfterSpace ? written.replace(/^ +/, '') : written
      if (part === '') continue
      parts.push(part)
      isAfterSpace = /\s$/.test(part.slice(-1))
    }
    return parts.join('')
  }

  private writeNode(node: Node, reader: NodeReader, around: Surroundings): string {
    switch (node.type) {
      case 'string':
        return node.content
      case 'whitespace':
        return ' '
      case 'parbreak':
        return '\n\n'
      case 'group':
        return this.writeNodes(node.content, around)
      case 'macro':
        return this.writeMacro(node.content, reader, around)
      case 'environment':
        return this.writeEnvironment(node, around)
      default:
        return ''
    }
  }

  private writeMacro(name: string, reader: NodeReader, around: Surroundings): string {
    const write = (nodes: Nodes | undefined) => this.writeNodes(nodes ?? [], around)
    if (name === '\\') return writeLineBreak(reader)
    if (FILE_COMMANDS.includes(name)) return drop(() => skipFile(reader))
    const dropped = lookUp(DROPPED, name)
    if (dropped !== undefined) return drop(() => reader.skipArguments(dropped))
    if (['def', 'edef', 'gdef', 'xdef'].includes(name)) return drop(() => reader.skipDefinition())
    const symbol = this.findSymbol(name)
    if (symbol !== undefined) return writeSymbol(name, symbol, reader)
    const style = lookUp(STYLES, name)
    if (style !== undefined) return this.applyStyle(style, write(reader.takeGroup()))
    const isSwitch = lookUp(SWITCHES, name)
    if (isSwitch !== undefined) return this.writeSwitched(isSwitch, reader, around)
    const accent = lookUp(ACCENTS, name)
    if (accent !== undefined) return addAccent(accent, reader.takeLetter(), write)
    return this.writeCommand(name, reader, around)
  }

  private writeSwitched(style: '*' | '**' | '`', reader: NodeReader, around: Surroundings): string {
    if (around.switches >= MOST_SWITCHES) return drop(() => reader.skipSpace())
    const inside = { ...around, switches: around.switches + 1 }
    return this.applyStyle(style, this.writeNodes(takeSwitched(reader) ?? [], inside))
  }

  private findSymbol(name: string): string | undefined {
    const exact = lookUp(EXACT_SYMBOLS, name)
    return exact === undefined ? lookUp(SYMBOLS, name) : addRaw(this.raw, exact)
  }

  /** Commands with a form of their own. Unknown ones keep the text of their last argument. */
  private writeCommand(name: string, reader: NodeReader, around: Surroundings): string {
    const write = (nodes: Nodes | undefined) => this.writeNodes(nodes ?? [], around).trim()
    reader.skipStar()
    reader.skipOptions()
    const level = lookUp(HEADINGS, name)
    if (level !== undefined) return writeHeading(level, write(reader.takeGroup()))
    if (name === 'item') return '\n- '
    if (name === 'includegraphics') return this.writePicture(write(reader.takeGroup()), '', around)
    if (name === 'illustration') {
      reader.takeGroup()
      const file = write(reader.takeGroup())
      return this.writePicture(file, write(reader.takeGroup()), around)
    }
    if (name === 'caption') return writeCaption(write(reader.takeGroup()), around)
    if (name === 'footnote') return ` (${write(reader.takeGroup())})`
    if (name === 'href') return writeLink(this.raw, write(reader.takeGroup()), write(reader.takeGroup()))
    if (name === 'epigraph')
      return this.writeQuote(`${write(reader.takeGroup())}\n— ${write(reader.takeGroup())}`, around)
    return this.writeNodes(takeLastArgument(reader), around)
  }

  private writePicture(file: string, caption: string, { figure }: Surroundings): string {
    if (file === '' || isOutside(file)) return ''
    if (figure === undefined || figure.place !== undefined || caption !== '')
      return block(`![${tidyCaption(caption)}](${addRaw(this.raw, file)})`)
    figure.place = this.raw.length
    return block(`![${addRaw(this.raw, '')}](${addRaw(this.raw, file)})`)
  }

  private applyStyle(style: '*' | '**' | '`', text: string): string {
    const inner = text.trim()
    if (inner === '' || inner.includes('\n\n')) return text
    const [before, after] = [text.startsWith(' ') ? ' ' : '', text.endsWith(' ') ? ' ' : '']
    const styled = style === '`' ? addRaw(this.raw, makeCodeSpan(inner)) : `${style}${inner}${style}`
    return `${before}${styled}${after}`
  }

  private writeEnvironment(
    environment: Extract<Node, { type: 'environment' | 'mathenv' }>,
    around: Surroundings,
  ): string {
    const { env } = environment
    const reader = new NodeReader(environment.content)
    reader.skipArguments(lookUp(ENVIRONMENT_ARGUMENTS, env) ?? 0)
    const nodes = reader.takeRest()
    const inside = { ...around, level: around.level + 1 }
    if (env === 'tikzpicture') return ''
    if (LISTS.includes(env)) return this.writeList(env, nodes, inside)
    if (TABLES.includes(env)) return this.writeTable(nodes, around)
    if (FIGURES.includes(env)) return this.writeFigure(nodes, around)
    if (QUOTES.includes(env)) return this.writeQuote(this.writeNodes(nodes, inside), inside)
    const heading = SECTIONS.includes(env) ? writeHeading(2, env) : ''
    return `${heading}${block(this.writeNodes(nodes, around))}`
  }

  private writeList(env: string, nodes: Nodes, around: Surroundings): string {
    const [, ...items] = splitNodes(nodes, (node) => isMacro(node, 'item'))
    const lines = items.map((item, i) => {
      const reader = new NodeReader(item)
      const label = this.writeNodes(reader.takeOption() ?? [], around).trim()
      const mark = env === 'enumerate' ? `${i + 1}. ` : '- '
      const text = this.writeNodes(reader.takeRest(), around).trim()
      return `${mark}${indent([label && `**${label}**`, text].filter(Boolean).join(' '), ' '.repeat(mark.length), around)}`
    })
    return block(lines.join('\n'))
  }

  private writeQuote(text: string, around: Surroundings): string {
    return block(around.level > MOST_INDENTED_LEVELS ? text : `> ${text.trim().replaceAll('\n', '\n> ')}`)
  }

  private writeTable(nodes: Nodes, around: Surroundings): string {
    const rows = splitNodes(nodes, (node) => isMacro(node, '\\') || isMacro(node, 'tabularnewline'))
    const lines = rows.map((row) => {
      const cells = splitNodes(row, (node) => isString(node, '&'))
      const texts = cells.map((cell, i) => {
        const reader = new NodeReader(cell)
        // The option of the line break before.
        if (i === 0) reader.takeOption()
        return this.writeNodes(reader.takeRest(), around).replace(/\s+/g, ' ').trim()
      })
      return texts.join(' | ').trim()
    })
    return block(lines.filter((line) => /[^|\s]/.test(line)).join('\n'))
  }

  private writeFigure(nodes: Nodes, around: Surroundings): string {
    const figure: Figure = { captions: [] }
    const text = this.writeNodes(nodes, { ...around, figure })
    const captions = figure.captions.join(' ')
    if (figure.place === undefined) return block(`${text.trim()}\n\n${captions}`)
    this.raw[figure.place] = tidyCaption(tidyText(captions))
    return block(text)
  }
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
