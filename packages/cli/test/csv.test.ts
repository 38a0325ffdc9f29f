import { text } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { createCsvStream, formatCsv, isMadeSafe } from '../src/csv.ts'

const FORMULAS = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', '＋1', '－1', '＠1']
const HARMLESS = ['a=1', "'=1", '"quoted"', 'a,b', 'two\nlines', '', 'Ö', ' =1']

describe('a CSV file', () => {
  it('has an apostrophe in front of everything that a spreadsheet takes for a formula', () => {
    const [, ...rows] = parse(
      formatCsv(
        ['cell'],
        [...FORMULAS, ...HARMLESS].map((cell) => [cell]),
      ),
      {
        bom: true,
        skip_empty_lines: false,
      },
    )
    expect(rows).toEqual([...FORMULAS.map((cell) => [`'${cell}`]), ...HARMLESS.map((cell) => [cell])])
  })

  it('leaves numbers as they are, and absent cells empty', () => {
    expect(formatCsv(['a', 'b', 'c'], [[-1, undefined, '-1']])).toBe("\ufeffa,b,c\r\n-1,,'-1\r\n")
  })

  it('is the same as a stream', async () => {
    const rows = [...FORMULAS, ...HARMLESS].map((cell, i) => [cell, i])
    const stream = createCsvStream(['cell', 'number'])
    for (const row of rows) stream.write(row)
    stream.end()
    expect(await text(stream)).toBe(formatCsv(['cell', 'number'], rows).slice(1))
  })

  it('tells which texts it changes', () => {
    expect(FORMULAS.filter((cell) => !isMadeSafe(cell))).toEqual([])
    expect(HARMLESS.filter(isMadeSafe)).toEqual([])
  })
})
