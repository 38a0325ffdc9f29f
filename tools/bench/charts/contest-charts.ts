import { axisX, axisY, gridY, lineY, ruleY } from '@observablehq/plot'
import { type ContestStep, P99_LIMIT_MS } from '../contest.ts'
import { round } from '../measure.ts'
import { type Chart, color, drawSvg, labelEnds, MARGIN_TOP } from './svg.ts'

const HEIGHT = 320
const MARGIN_BOTTOM = 40

/** The response times over a contest, for each kind of standings. */
export function drawContests(steps: readonly ContestStep[]): Chart[] {
  return [...new Set(steps.map(({ standings }) => standings))].flatMap((kind) => {
    const step = chooseStep(steps.filter(({ standings }) => standings === kind))
    return step === undefined || step.seconds.length < 2 ? [] : [drawStep(step)]
  })
}

/** The largest contest that the machine carried, else the smallest one. */
function chooseStep(steps: readonly ContestStep[]): ContestStep | undefined {
  const byPeople = [...steps].sort((one, other) => one.people - other.people)
  return byPeople.findLast(({ holds }) => holds) ?? byPeople[0]
}

function drawStep({ standings, people, seconds, p50Ms, p99Ms }: ContestStep): Chart {
  const points = seconds.filter((one) => Number.isFinite(one.p50Ms) && Number.isFinite(one.p99Ms))
  const most = Math.max(P99_LIMIT_MS, ...points.map((one) => one.p99Ms)) * 1.1
  const title = `Contest of ${people.toLocaleString('en-US')} people who poll ${standings}`
  const longest = Math.max(...points.map((one) => one.p99Ms))
  const alternative = `${title}: p50 ${round(p50Ms)} ms and p99 ${round(p99Ms)} ms over ${points.length} seconds; the longest p99 of a second was ${round(longest)} ms. The limit of p99 is ${P99_LIMIT_MS} ms.`
  const lines = [
    { text: 'p50', y: 'p50Ms', color: color('service') },
    { text: 'p99', y: 'p99Ms', color: color('statement'), strokeDasharray: '6 3' },
  ] as const
  const limit = { text: 'limit of p99', value: P99_LIMIT_MS, color: color('limit') }
  const ends = lines.map((line) => ({ ...line, value: points.at(-1)?.[line.y] ?? 0 }))
  const svg = drawSvg({
    ...{ heading: title, subheading: 'Response times of the requests of each second', alternative },
    ...{ width: 720, height: HEIGHT, marginLeft: 60, marginRight: 90, marginBottom: MARGIN_BOTTOM },
    y: { domain: [0, most] },
    marks: [
      gridY({ stroke: color('grid'), strokeOpacity: 1 }),
      axisX({ label: 'second of the measurement', labelArrow: 'none', labelAnchor: 'center' }),
      axisY({ label: 'response time, ms', labelArrow: 'none', labelAnchor: 'center' }),
      ruleY([P99_LIMIT_MS], { stroke: color('limit'), strokeDasharray: '2 3' }),
      ...lines.map(({ text: _, color: stroke, ...line }) =>
        lineY(points, { x: 'second', ...line, stroke, strokeWidth: 2 }),
      ),
      ...labelEnds([...ends, limit], most, HEIGHT - MARGIN_TOP - MARGIN_BOTTOM),
    ],
  })
  return { file: `contest-${standings}.svg`, alternative, svg }
}
