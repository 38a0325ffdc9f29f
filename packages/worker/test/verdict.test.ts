import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CaseResult } from '../src/case-result.ts'
import { readText, VerdictBuilder } from '../src/verdict.ts'

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
})

describe('VerdictBuilder', () => {
  const text = 'x'.repeat(64 * 1024)
  const output = Buffer.from(text)
  const messages = { judgeMessage: text, teamMessage: text, transcript: text }
  const makeResult = (id: string, changes: Partial<CaseResult> = {}): CaseResult => ({
    ...{ testCase: { id, hidden: false }, status: 'ACCEPTED', stdout: output, stderr: output },
    ...{ end: 'exit code 0', cpuMs: 5, peakMemoryBytes: 2048, ...messages, ...changes },
  })

  it('keeps 4 MiB of 10,000 results, and all messages of the first failure', () => {
    const builder = new VerdictBuilder()
    for (let number = 1; number <= 10_000; number += 1)
      builder.add(makeResult(String(number), number === 5000 ? { status: 'WRONG_ANSWER' } : {}))
    const verdict = builder.finish()
    expect(verdict).toMatchObject({ status: 'WRONG_ANSWER', failed_test_case_id: '5000', stdout: text })
    const shown = { judge_message: text, team_message: text, transcript: text }
    expect(verdict.test_case_results[0]).toMatchObject({ stdout: text, stderr: text, ...shown })
    expect(verdict.test_case_results[4999]).toMatchObject({ stdout: '', stderr: '', passed: false, ...shown })
    expect(JSON.stringify(verdict).length).toBeLessThan(7 * 2 ** 20)
    expect(Object.keys(verdict.test_case_results[9999] ?? {})).not.toContain('judge_message')
  })

  it('lets a fault of the judge count more than a failure before it', () => {
    const builder = new VerdictBuilder()
    expect(builder.finishAtFault('no test case')).toBeUndefined()
    builder.add(makeResult('1', { status: 'WRONG_ANSWER' }))
    builder.add(makeResult('2'))
    const verdict = builder.finishAtFault('too many points')
    const fault = { status: 'INTERNAL_ERROR', judge_message: 'too many points' }
    expect(verdict).toMatchObject({ ...fault, failed_test_case_id: '2' })
    expect(verdict?.stderr).toContain('not the fault of the program')
    expect(verdict?.test_case_results).toMatchObject([
      { status: 'WRONG_ANSWER', judge_message: text },
      { ...fault, passed: false },
    ])
    expect(verdict).not.toHaveProperty('score')
  })
})
