import { axisX, axisY, dot, gridX, ruleY, text } from '@observablehq/plot'
import { round } from '../measure.ts'
import type { GrowthResult } from '../report.ts'
import { sizeL, sizeS } from '../sizes.ts'
import { type Chart, color, drawSvg, MARGIN_TOP } from './svg.ts'

const ROW = 22
const count = (number: number) => number.toLocaleString('en-US')

/** The p50 of each route at S and at L. Responses that grow are left out: their table has them. */
export function drawGrowth(results: readonly GrowthResult[]): Chart[] {
  const rows = results.flatMap(({ route, small, large, rows }) =>
    rows === undefined && Number.isFinite(small.p50Ms) && Number.isFinite(large.p50Ms)
      ? [{ route, small: small.p50Ms, large: large.p50Ms, ratio: `× ${round(large.p50Ms / small.p50Ms)}` }]
      : [],
  )
  if (rows.length === 0) return []
  const times = rows.flatMap(({ small, large }) => [small, large])
  const [few, many] = [count(sizeS.submissions), count(sizeL.submissions)]
  const parts = rows.map(({ route, small, large }) => `${route} ${round(small)} and ${round(large)}`)
  const alternative = `p50 in ms on one connection with ${few} and with ${many} submissions: ${parts.join('; ')}.`
  const y = (row: (typeof rows)[number]) => row.route
  const svg = drawSvg({
    ...{ heading: `From ${few} to ${many} submissions`, alternative, subheading: `○ ${few} ● ${many}` },
    ...{
      width: 720,
      height: rows.length * ROW + MARGIN_TOP + 40,
      marginLeft: 190,
      marginRight: 60,
      marginBottom: 40,
    },
    x: { type: 'log', domain: [Math.min(...times) * 0.8, Math.max(...times) * 1.25] },
    y: { type: 'band', domain: rows.map(y) },
    marks: [
      gridX({ stroke: color('grid'), strokeOpacity: 1 }),
      axisX({
        label: 'p50 on one connection, ms (logarithmic)',
        labelArrow: 'none',
        labelAnchor: 'center',
        ticks: 5,
        tickFormat: String,
      }),
      axisY({ label: null, tickSize: 0 }),
      ruleY(rows, { y, x1: 'small', x2: 'large', stroke: color('service'), strokeWidth: 2 }),
      dot(rows, { y, x: 'large', fill: color('service'), r: 4 }),
      dot(rows, { y, x: 'small', fill: color('background'), stroke: color('service'), strokeWidth: 2, r: 4 }),
      text(rows, { y, text: 'ratio', frameAnchor: 'right', textAnchor: 'end', dx: 56 }),
    ],
  })
  return [{ file: 'growth.svg', alternative, svg }]
}
