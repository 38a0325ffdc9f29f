import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Standings } from './standings-view.ts'

interface Seen {
  /** Its place among the rows: the page may have another size since. */
  readonly place: number
  readonly cells: ReadonlyMap<string, string>
}

/**
 * Lets rows glide from their earlier places to the present ones, and cells with another content
 * light up. Rows are found by `data-row`. Only scripts set these styles: the policy of the page
 * allows no style attributes.
 */
export function useMovingRows(
  body: RefObject<HTMLTableSectionElement | null>,
  standings: Standings,
  moveMs: number,
): void {
  const seen = useRef<ReadonlyMap<string, Seen>>(new Map())
  useLayoutEffect(() => {
    if (body.current === null) return
    const rows = [...body.current.rows]
    const present = new Map(rows.map((row) => [row.dataset.row ?? '', look(row)]))
    if (moveMs > 0 && !matchMedia('(prefers-reduced-motion: reduce)').matches)
      for (const row of rows) animate(row, seen.current.get(row.dataset.row ?? ''), present, moveMs)
    seen.current = present
  }, [standings])
}

function look(row: HTMLTableRowElement): Seen {
  const cells = [...row.cells].map((cell) => [cell.dataset.problem ?? '', cell.textContent ?? ''] as const)
  return { place: row.sectionRowIndex, cells: new Map(cells) }
}

function animate(
  row: HTMLTableRowElement,
  before: Seen | undefined,
  present: ReadonlyMap<string, Seen>,
  moveMs: number,
): void {
  const now = present.get(row.dataset.row ?? '')
  if (before === undefined || now === undefined) return
  if (before.place !== now.place) {
    // A row that still moves goes on from where it is.
    const { m42: moved } = new DOMMatrixReadOnly(getComputedStyle(row).transform)
    const shift = (before.place - now.place) * row.offsetHeight + moved
    for (const animation of row.getAnimations()) animation.cancel()
    const zIndex = shift > 0 ? 2 : 1
    row.animate(
      [
        { transform: `translateY(${shift}px)`, zIndex },
        { transform: 'none', zIndex },
      ],
      { duration: moveMs, easing: 'cubic-bezier(0.3, 0, 0.2, 1)' },
    )
  }
  for (const cell of row.cells) {
    const problem = cell.dataset.problem
    if (problem === undefined || before.cells.get(problem) === now.cells.get(problem)) continue
    const options = { duration: 1500, easing: 'ease-out' }
    cell.animate(
      [
        { filter: 'brightness(1.9)', scale: 1.12 },
        { filter: 'none', scale: 1 },
      ],
      options,
    )
  }
}
