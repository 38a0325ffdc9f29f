type Cell = string | number | undefined

/** A Markdown table whose first column is aligned to the left, the others to the right; what is undefined is a dash. */
export function writeTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [
    head,
    head.map((_, n) => (n === 0 ? '---' : '---:')),
    ...rows.map((row) => row.map((cell) => cell ?? '–')),
  ]
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}
