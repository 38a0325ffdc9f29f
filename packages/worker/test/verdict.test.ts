import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTextBudget, readText } from '../src/verdict.ts'

describe('the text of an output', () => {
  it('is the whole output if it fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀', '\0', '\ufeff') }), (text) => {
        const output = Buffer.from(text)
        expect(readText(output, output.length)).toBe(output.toString())
      }),
    )
  })

  it('is cut between characters, with a mark', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀', '\ufeff') }),
        fc.nat(20),
        (text, limitBytes) => {
          const output = Buffer.from(text)
          fc.pre(output.length > limitBytes)
          const shown = readText(output, limitBytes)
          expect(shown.endsWith('\n[cut]')).toBe(true)
          const kept = shown.slice(0, -'\n[cut]'.length)
          expect(text.startsWith(kept)).toBe(true)
          expect(Buffer.byteLength(kept)).toBeGreaterThan(limitBytes - 4)
        },
      ),
    )
  })

  it('replaces bytes that are not UTF-8', () => {
    expect(readText(Buffer.from([0x61, 0xff, 0x62]), 10)).toBe('a\ufffdb')
  })

  it('stays within one budget for all results', () => {
    const cut = createTextBudget(25)
    const texts = Array.from({ length: 5 }, () => cut(Buffer.from('x'.repeat(100)), 10))
    expect(texts).toEqual(['xxxxxxxxxx\n[cut]', 'xxxxxxxxxx\n[cut]', '', '', ''])
    expect(cut(Buffer.from('four'), 10)).toBe('four')
  })
})
