type Cell = string | number | undefined

/** Writes a Markdown table; `undefined` becomes a dash. */
export function writeTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [
    head,
    head.map((_, n) => (n === 0 ? '---' : '---:')),
    ...rows.map((row) => row.map((cell) => cell ?? '–')),
  ]
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}
