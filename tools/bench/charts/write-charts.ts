import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type Report, replaceParts } from '../report.ts'
import { drawContests } from './contest-charts.ts'
import { drawGrowth } from './growth-chart.ts'
import type { Chart } from './svg.ts'
import { drawThroughput } from './throughput-charts.ts'

/** The size whose routes are drawn: L has lists of one connection only. */
const DRAWN_SIZE = 'S'

/** The charts of a run by the part of docs/performance.md that shows them; only measured ones. */
export function drawCharts({ tables, growth, contest }: Report): Map<string, Chart[]> {
  const routes = tables.filter(({ size }) => size === DRAWN_SIZE).flatMap((table) => table.routes)
  const drawn = [
    ['throughput', drawThroughput(routes)],
    ['growth', drawGrowth(growth)],
    ['contest', drawContests(contest)],
  ] as const
  return new Map(drawn.flatMap(([name, charts]) => (charts.length > 0 ? [[name, [...charts]] as const] : [])))
}

/** Markdown that shows charts, with their text alternatives. */
export const showCharts = (charts: readonly Chart[]) =>
  charts.map(({ file, alternative }) => `![${alternative}](charts/${file})\n`).join('')

/** Reads the results file of a run. Throws for another file. */
export async function readReport(file: string): Promise<Report> {
  const report: Report = JSON.parse(await readFile(file, 'utf8'))
  const parts: readonly unknown[] = [report.tables, report.growth, report.contest]
  if (parts.every(Array.isArray)) return report
  throw new Error(`${file} is not a results file of the benchmark`)
}

/** Writes the charts of a run to `docs/charts`, and shows them in docs/performance.md. */
export async function writeCharts(report: Report, docs: URL): Promise<void> {
  const folder = new URL('charts/', docs)
  await mkdir(folder, { recursive: true })
  const parts = new Map<string, string>()
  for (const [name, charts] of drawCharts(report)) {
    for (const old of await readdir(folder)) if (old.startsWith(name)) await rm(new URL(old, folder))
    for (const { file, svg } of charts) await writeFile(new URL(file, folder), svg)
    parts.set(`${name} charts`, showCharts(charts))
  }
  const document = new URL('performance.md', docs)
  const text = await readFile(document, 'utf8')
  await writeFile(document, replaceParts(text, parts))
}
