import { environmentSchema } from '../../src/config/environment.ts'

interface Described {
  readonly required: readonly string[]
  readonly properties: Readonly<Record<string, { description: string; default?: string | number }>>
}

/** The table of variables below its text; the examples are written by hand and kept. */
export function describeConfiguration(previous: string): string {
  return previous.slice(0, previous.indexOf('| Variable')) + describeVariables(examplesIn(previous))
}

/** The hand-written examples by variable. */
export function examplesIn(text: string): Map<string, string> {
  const rows = text.split('\n').filter((line) => line.startsWith('| `'))
  return new Map(rows.map(cellsOf).map(([, name = '', , , example = '']) => [name.slice(1, -1), example]))
}

const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim())

/** The table of all variables as Markdown, its columns aligned as the formatter wants them. */
function describeVariables(examples: Map<string, string>): string {
  // The schema's type hides its annotations.
  const schema: Described = JSON.parse(JSON.stringify(environmentSchema))
  const rows = Object.entries(schema.properties).map(([name, { description, default: value }]) => {
    const none = schema.required.includes(name) ? '**required**' : 'unset'
    const shown = value === undefined ? none : value === '' ? 'empty' : `\`${value}\``
    return [`\`${name}\``, description, shown, examples.get(name) ?? '']
  })
  const table = [['Variable', 'Meaning', 'Default', 'Example'], ...rows]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  const [head = '', ...lines] = table.map((row) =>
    row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | '),
  )
  const rule = widths.map((width) => '-'.repeat(width)).join(' | ')
  return [head, rule, ...lines].map((line) => `| ${line} |\n`).join('')
}
