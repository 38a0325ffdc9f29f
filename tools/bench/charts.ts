import { axisX, axisY, dot, gridX, plot, ruleY, text } from '@observablehq/plot'
import { parseHTML } from 'linkedom'
import { round } from './measure.ts'

export interface Pair {
  readonly route: string
  readonly from: number
  readonly to: number
}

const ROW = 22
const MARGIN_TOP = 48
/** A hundredth of a pixel is enough. */
const LONG_NUMBER = /\d+\.\d{3,}/g
const color = (name: 'background' | 'grid' | 'line') => `var(--${name})`

/** The theme of the page decides; each contrast to the background is at least 3. */
const STYLE = `
svg { --background: #ffffff; --grid: #d1d9e0; --line: #1f6fd0; color: #1f2328; font: 12px system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { svg { --background: #0d1117; --grid: #30363d; --line: #58a6ff; color: #e6edf3; } }`

/** Draws a line for each route between two figures. The same figures give the same text. */
export function drawPairs(heading: string, [from, to]: readonly [string, string], pairs: readonly Pair[]) {
  const rows = pairs.map((pair) => ({ ...pair, ratio: `× ${round(pair.to / pair.from)}` }))
  const figures = rows.flatMap((row) => [row.from, row.to])
  const parts = rows.map((row) => `${row.route} ${round(row.from)} and ${round(row.to)}`)
  const alternative = `${heading}, ${from} and ${to}: ${parts.join('; ')}.`
  const { document } = parseHTML('<!doctype html><body></body>')
  const top = { frameAnchor: 'top-left', textAnchor: 'start', dx: -184 } as const
  const y = 'route'
  const svg = plot({
    ...{ document, width: 720, height: rows.length * ROW + MARGIN_TOP + 40 },
    ...{ marginTop: MARGIN_TOP, marginLeft: 190, marginRight: 60, marginBottom: 40 },
    x: { type: 'log', domain: [Math.min(...figures) * 0.8, Math.max(...figures) * 1.25] },
    y: { type: 'band', domain: rows.map(({ route }) => route) },
    marks: [
      text([heading], { ...top, dy: -40, fontSize: 15, fontWeight: 600 }),
      text([`○ ${from} ● ${to}`], { ...top, dy: -20, fontSize: 12 }),
      gridX({ stroke: color('grid'), strokeOpacity: 1 }),
      axisX({
        label: 'logarithmic',
        labelArrow: 'none',
        labelAnchor: 'center',
        ticks: 5,
        tickFormat: String,
      }),
      axisY({ label: null, tickSize: 0 }),
      ruleY(rows, { y, x1: 'from', x2: 'to', stroke: color('line'), strokeWidth: 2 }),
      dot(rows, { y, x: 'to', fill: color('line'), r: 4 }),
      dot(rows, { y, x: 'from', fill: color('background'), stroke: color('line'), strokeWidth: 2, r: 4 }),
      text(rows, { y, text: 'ratio', frameAnchor: 'right', textAnchor: 'end', dx: 56 }),
    ],
  })
  for (const style of svg.querySelectorAll('style')) style.remove()
  svg.insertAdjacentHTML(
    'afterbegin',
    `<title>${heading}</title><desc>${alternative}</desc><style>${STYLE}</style><rect width="100%" height="100%" fill="${color('background')}"></rect>`,
  )
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  svg.setAttribute('role', 'img')
  return {
    alternative,
    svg: `${svg.outerHTML.replaceAll(LONG_NUMBER, (number: string) => Number(number).toFixed(2))}\n`,
  }
}
