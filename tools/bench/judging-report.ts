import { writeTable } from '../local-servers/report.ts'
import type { JudgingReport } from './judging.ts'
import type { JudgingFigure } from './judging-bench.ts'
import { round } from './measure.ts'

/** The table of the judge worker's figures. */
export function writeJudgingTable({ isolation, figures }: JudgingReport): string {
  const table = writeTable(
    ['figure', 'median', 'lowest', 'highest', 'CPU ms', 'target', 'met'],
    figures.map((figure) => {
      const { name, unit, values, cpuMs } = figure
      const show = (value: number) => showValue(value, unit)
      return [
        ...[name, show(findMedian(values)), show(Math.min(...values)), show(Math.max(...values))],
        cpuMs && round(findMedian(cpuMs)),
        ...[describeTarget(figure), describeOutcome(figure)],
      ]
    }),
  )
  return `Sandbox: ${isolation}.\n\n${table}`
}

/** Requests must equal the target, ratios reach it; other figures must be below it. */
export function isMet({ unit, values, target }: JudgingFigure): boolean | undefined {
  if (target === undefined) return undefined
  const median = findMedian(values)
  if (unit === 'ratio') return median >= target
  return unit === 'requests' ? median === target : median < target
}

function showValue(value: number, unit: JudgingFigure['unit']): string {
  if (unit === 'requests') return `${value}`
  return unit === 'ratio' ? value.toFixed(2) : `${round(value)} ${unit}`
}

function describeTarget({ unit, target }: JudgingFigure): string | undefined {
  if (target === undefined) return undefined
  if (unit === 'ratio') return `at least ${target}`
  return unit === 'requests' ? `${target}` : `below ${target} ${unit}`
}

function describeOutcome(figure: JudgingFigure): string | undefined {
  const outcome = isMet(figure)
  return outcome === undefined ? undefined : outcome ? 'yes' : 'no'
}

function findMedian(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1)
  return middle.reduce((sum, value) => sum + value, 0) / middle.length
}
