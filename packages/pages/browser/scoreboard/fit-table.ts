/** The sizes of a table in pixels. */
export type TableSizes = ReturnType<typeof fitTable>

/** Rows are at least a sixteenth of the table, so that they can be read from the back of a room. */
const LEAST_ROW_SHARE = 1 / 16
const LEAST_ROW = 34
const MOST_ROW_SHARE = 1 / 6

/** The width of rank, name and totals, in font sizes. */
const NAMES_WIDTH = 19.5

/** The width of a character of a cell, with its share of the margins, in font sizes. */
const CHARACTER_WIDTH = 0.77

/**
 * Chooses sizes: few rows fill the screen, many scroll. `height` is without the table's head, and
 * `characters` the length of the longest text of a cell.
 */
export function fitTable(space: {
  readonly width: number
  readonly height: number
  readonly rows: number
  readonly problems: number
  readonly characters?: number
}) {
  const { width, height, rows, problems, characters = 0 } = space
  const least = Math.max(height * LEAST_ROW_SHARE, LEAST_ROW)
  const most = Math.max(height * MOST_ROW_SHARE, least)
  const row = Math.floor(clamp(height / Math.max(rows, 1), least, most))
  const font = Math.floor(Math.min(row * 0.52, width * 0.024))
  const cell = Math.floor(clamp((width - NAMES_WIDTH * font) / Math.max(problems, 1), 24, row * 2.2))
  const widest = Math.min(cell * 0.29, cell / (CHARACTER_WIDTH * Math.max(characters, 1)))
  return { row, font, cell, cellFont: Math.floor(Math.min(row * 0.42, widest)) }
}

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most)
