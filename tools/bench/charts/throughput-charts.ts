import { axisX, axisY, dot, gridY, lineY } from '@observablehq/plot'
import { round } from '../measure.ts'
import { ceilingOf, figuresOf, type RouteResult, serviceOf } from '../report.ts'
import { type Chart, color, drawSvg, labelEnds, MARGIN_TOP } from './svg.ts'

const WIDTH = 460
const HEIGHT = 300
const MARGIN_BOTTOM = 40

interface Point {
  readonly connections: number
  readonly rate: number
}

interface Series {
  readonly name: string
  readonly color: string
  readonly dashes: string | undefined
  readonly points: readonly Point[]
}

/** Requests per second by connections, one chart for each route that was measured on several. */
export function drawThroughput(results: readonly RouteResult[]): Chart[] {
  return [...new Set(results.map(({ route }) => route))].flatMap((route) => {
    const own = results.filter((result) => result.route === route)
    const series = seriesOf(own)
    return own.length < 2 || series.length < 2 ? [] : [drawRoute(route, series)]
  })
}

/** The service and its ceilings. Bare Fastify is left out: it would flatten the others. */
function seriesOf(results: readonly RouteResult[]): Series[] {
  const lineOf = (
    name: string,
    shade: string,
    dashes: string | undefined,
    rateOf: (result: RouteResult) => number | undefined,
  ): Series => ({
    ...{ name, color: shade, dashes },
    points: results.flatMap((result) => {
      const rate = rateOf(result)
      return rate !== undefined && Number.isFinite(rate) ? [{ connections: result.connections, rate }] : []
    }),
  })
  const ceiling = results.map((result) => ceilingOf(result)?.target).find((name) => name !== undefined)
  const nameOfCeiling = ceiling?.startsWith('pgbench') ? 'pgbench' : 'one statement'
  const all = [
    lineOf('service', color('service'), undefined, (result) => serviceOf(result).requestsPerSecond),
    lineOf(nameOfCeiling, color('statement'), '6 3', (result) => ceilingOf(result)?.requestsPerSecond),
    lineOf('lean', color('lean'), '2 3', (result) => figuresOf(result, 'lean')?.requestsPerSecond),
    lineOf(
      'coalesced',
      color('coalesced'),
      '8 3 2 3',
      (result) => figuresOf(result, 'coalesced')?.requestsPerSecond,
    ),
  ]
  return all.filter(({ points }) => points.length > 0)
}

function drawRoute(route: string, series: readonly Series[]): Chart {
  const points = series.flatMap((one) => one.points)
  const most = Math.max(...points.map(({ rate }) => rate)) * 1.05
  const connections = [...new Set(points.map((point) => point.connections))].sort((a, b) => a - b)
  const last = connections.at(-1) ?? 1
  const ends = series.flatMap((one) => {
    const value = one.points.find((point) => point.connections === last)?.rate
    return value === undefined ? [] : [{ text: one.name, value, color: one.color }]
  })
  const alternative = describe(route, series)
  const svg = drawSvg({
    ...{ heading: route, subheading: 'Requests per second by connections', alternative },
    ...{ width: WIDTH, height: HEIGHT, marginRight: 100, marginLeft: 60, marginBottom: MARGIN_BOTTOM },
    x: { type: 'log', base: 2, domain: [connections[0] ?? 1, last] },
    y: { domain: [0, most] },
    marks: [
      gridY({ ticks: 5, stroke: color('grid'), strokeOpacity: 1 }),
      axisX(connections, {
        label: 'connections',
        labelArrow: 'none',
        tickFormat: String,
        labelAnchor: 'center',
      }),
      axisY({ label: 'requests/s', labelArrow: 'none', ticks: 5, labelAnchor: 'center' }),
      ...series.flatMap((one) => [
        lineY(one.points, {
          ...{
            x: 'connections',
            y: 'rate',
            stroke: one.color,
            strokeWidth: one.name === 'service' ? 3 : 1.5,
          },
          ...(one.dashes !== undefined && { strokeDasharray: one.dashes }),
        }),
        dot(one.points, { x: 'connections', y: 'rate', fill: one.color, r: one.name === 'service' ? 4 : 3 }),
      ]),
      ...labelEnds(ends, most, HEIGHT - MARGIN_TOP - MARGIN_BOTTOM),
    ],
  })
  return { file: `throughput-${fileNameOf(route)}.svg`, alternative, svg }
}

const describe = (route: string, series: readonly Series[]) => {
  const lines = series.map(({ name, points }) => {
    const rates = points.map(({ connections, rate }) => `${round(rate)} on ${connections}`)
    return `${name} ${rates.join(', ')}`
  })
  return `Requests per second of “${route}” by connections: ${lines.join('; ')}.`
}

/** The name of a route in the name of a file. */
export const fileNameOf = (route: string) =>
  route
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
