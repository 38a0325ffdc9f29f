import { styleText } from 'node:util'
import { replaceControls } from '@judge-data-layer/runtime/visible-text'
import Table from 'cli-table3'

type Colour = 'green' | 'red' | 'yellow' | 'bold' | 'dim'

/** The text of a cell, or a text with its colour. */
export type Cell = string | { readonly text: string; readonly colour: Colour }

/** A line with a name and a value; undefined: no line. */
export type Entry = readonly [name: string, value: Cell | undefined]

/** Makes texts for people, with or without colours. */
export type Writer = ReturnType<typeof createWriter>

/** Makes a writer for one stream. */
export function createWriter(isColoured: boolean) {
  const paint = (cell: Cell) => {
    if (typeof cell === 'string') return makePrintable(cell)
    const text = makePrintable(cell.text)
    return isColoured ? styleText(cell.colour, text, { validateStream: false }) : text
  }
  return {
    paint,
    /** Aligned columns under their headings. */
    table: (headings: readonly string[], rows: readonly (readonly Cell[])[]): string => {
      const head = headings.map((text): Cell => ({ text: text.toUpperCase(), colour: 'bold' }))
      return drawTable([head, ...rows].map((row) => row.map((cell) => paint(asLine(cell)))))
    },
    list: (entries: readonly Entry[]): string => {
      const draw = ([text, value]: Entry) =>
        value === undefined ? [] : [[paint({ text, colour: 'dim' }), paint(asLine(value))]]
      return drawTable(entries.flatMap(draw))
    },
  }
}

/** A verdict in its colour, with details in brackets, such as its reason and its score. */
export function colourVerdict(status: string, ...details: (string | number | undefined)[]): Cell {
  const shown = details.filter((detail) => detail !== undefined).join(', ')
  const text = shown === '' ? status : `${status} (${shown})`
  return { text, colour: status === 'ACCEPTED' ? 'green' : status === 'PENDING' ? 'yellow' : 'red' }
}

/** Replaces line breaks and other white space by single spaces. */
export const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

/**
 * Replaces control, format and direction characters, but no line breaks, tabs and joiners between
 * letters: they could change what a terminal shows.
 */
export const makePrintable = (text: string): string =>
  text
    .split(/([\n\t])/)
    .map((part, i) => (i % 2 === 0 ? replaceControls(part) : part))
    .join('')

const ESCAPE = '\u001b'
/** Of the colours above, and their ends. */
const COLOUR_CODES = new RegExp(`(${ESCAPE}\\[(?:1|2|22|31|32|33|39)m)`)

/** The same for a text that a writer may have coloured. */
export const makePrintableInColour = (text: string): string =>
  text
    .split(COLOUR_CODES)
    .map((part, i) => (i % 2 === 0 ? makePrintable(part) : part))
    .join('')

/** The JSON of a document. Characters that `makePrintable` replaces are escaped. */
export const formatJson = (document: unknown, indent?: number): string =>
  JSON.stringify(document, null, indent).replaceAll(/(?!\n)[\p{Cc}\p{Cf}]/gu, escapeCharacter)

const escapeCharacter = (character: string) =>
  Array.from({ length: character.length }, (_, i) => {
    return `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`
  }).join('')

/** The parsed value; undefined if `parse` throws. */
export function tryParse(parse: (text: string) => unknown, text: string): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

/** Seconds with two digits, `0.31 s`. */
export const formatSeconds = (seconds: number): string => `${seconds.toFixed(2)} s`

/** Bytes in a usual unit, `1.5 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB']
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1]}`
}

/** A number with its noun, `1 warning` or `2 warnings`. */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

const asLine = (cell: Cell): Cell =>
  typeof cell === 'string' ? inOneLine(cell) : { ...cell, text: inOneLine(cell.text) }

const NO_LINES = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '', left: '', 'left-mid': '', mid: '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '', 'mid-mid': '' },
  ...{ right: '', 'right-mid': '', middle: '  ' },
}

function drawTable(rows: readonly (readonly string[])[]): string {
  const style = { 'padding-left': 0, 'padding-right': 0, head: [], border: [] }
  const table = new Table({ chars: NO_LINES, style })
  table.push(...rows.map((row) => [...row]))
  return table.toString().replaceAll(/ +$/gm, '')
}
