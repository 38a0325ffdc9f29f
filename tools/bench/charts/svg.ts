import { type PlotOptions, plot, text } from '@observablehq/plot'
import { parseHTML } from 'linkedom'

/** A chart as a file of the documentation. */
export interface Chart {
  readonly file: string
  /** Says the same as the chart, for people who cannot see it. */
  readonly alternative: string
  readonly svg: string
}

/** A color for light and for dark pages, each with a contrast of at least 3 to its background. */
const PALETTE = {
  background: ['#ffffff', '#0d1117'],
  text: ['#1f2328', '#e6edf3'],
  grid: ['#d1d9e0', '#30363d'],
  service: ['#1f6fd0', '#58a6ff'],
  statement: ['#b54708', '#f79009'],
  lean: ['#15803d', '#4ade80'],
  coalesced: ['#7c3aed', '#c4a1ff'],
  limit: ['#c11574', '#ff7ab8'],
} as const

/** The CSS value of a color; the theme of the page decides. */
export const color = (name: keyof typeof PALETTE) => `var(--${name})`

const declare = (place: 0 | 1) =>
  Object.entries(PALETTE)
    .map(([name, colors]) => `--${name}: ${colors[place]};`)
    .join(' ')

const STYLE = `
svg { ${declare(0)} color: var(--text); font: 12px system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { svg { ${declare(1)} } }`

const SVG = 'http://www.w3.org/2000/svg'

/** A coordinate: a hundredth of a pixel is enough. */
const LONG_NUMBER = /\d+\.\d{3,}/g

/** Room for the title above the marks. */
export const MARGIN_TOP = 48

/** What every chart has besides its marks and scales. */
export interface Drawing extends PlotOptions {
  readonly heading: string
  /** A line below the heading. */
  readonly subheading?: string
  readonly alternative: string
}

/** Draws a chart as SVG. The same figures give the same text. */
export function drawSvg({ heading, subheading = '', alternative, marks = [], ...options }: Drawing): string {
  const { document } = parseHTML('<!doctype html><body></body>')
  const place = { frameAnchor: 'top-left', textAnchor: 'start', dx: 6 - (options.marginLeft ?? 40) } as const
  const svg = plot({
    ...{ marginTop: MARGIN_TOP, document, ...options },
    marks: [
      text([heading], { ...place, dy: -40, fontSize: 15, fontWeight: 600 }),
      text([subheading], { ...place, dy: -20, fontSize: 12 }),
      ...marks,
    ],
  })
  const add = (name: string, content: string) => {
    const element = document.createElementNS(SVG, name)
    element.textContent = content
    svg.prepend(element)
    return element
  }
  const background = add('rect', '')
  for (const [name, value] of [
    ['width', '100%'],
    ['height', '100%'],
    ['fill', color('background')],
  ] as const)
    background.setAttribute(name, value)
  for (const style of svg.querySelectorAll('style')) style.remove()
  add('style', STYLE)
  add('desc', alternative)
  add('title', heading)
  svg.setAttribute('xmlns', SVG)
  svg.setAttribute('role', 'img')
  return `${svg.outerHTML.replaceAll(LONG_NUMBER, (number: string) => Number(number).toFixed(2))}\n`
}

/** A text at the right end of a line, at the height of its last value. */
export interface Label {
  readonly text: string
  readonly value: number
  readonly color: string
}

/** A line of text, in pixels. */
const LINE = 14

/** Writes labels to the right of the marks, apart from each other. */
export function labelEnds(labels: readonly Label[], most: number, plotHeight: number) {
  return spreadLabels(labels, (LINE * most) / plotHeight, 0).map((label) =>
    text([label], {
      ...{ y: 'value', text: 'text', fill: label.color },
      ...{ frameAnchor: 'right', textAnchor: 'start', dx: 8 },
    }),
  )
}

/**
 * Moves labels apart so that neighbours differ by `gap`, and none is below `lowest`. Keeps their
 * order by value.
 */
export function spreadLabels(labels: readonly Label[], gap: number, lowest: number): Label[] {
  const spread: Label[] = []
  for (const label of [...labels].sort((one, other) => one.value - other.value)) {
    const least = (spread.at(-1)?.value ?? lowest - gap) + gap
    spread.push({ ...label, value: Math.max(label.value, least) })
  }
  return spread
}
