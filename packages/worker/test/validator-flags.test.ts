import { describe, expect, it } from 'vitest'
import { parseFlags } from '../src/validation/flags.ts'
import { settingsOf } from './support/validate.ts'

describe('the flags of the default output validator', () => {
  it('may be absent, come in any order and be separated by any white space', () => {
    const settingsOfNone = { caseSensitive: false, spaceChangeSensitive: false }
    expect(parseFlags(' \n')).toEqual({ ok: true, settings: settingsOfNone })
    const settings = settingsOf(
      '\tfloat_relative_tolerance 1E-3\n case_sensitive  float_absolute_tolerance .5',
    )
    expect(settings).toMatchObject({ caseSensitive: true, spaceChangeSensitive: false })
    expect(settings.absoluteTolerance?.estimate).toBe(0.5)
    expect(settings.relativeTolerance?.estimate).toBe(0.001)
    expect(settingsOf('float_tolerance 2')).toMatchObject({
      absoluteTolerance: { estimate: 2 },
      relativeTolerance: { estimate: 2 },
    })
  })

  it.each([
    ['exact', 'unknown flag "exact"'],
    ['CASE_SENSITIVE', 'unknown flag "CASE_SENSITIVE"'],
    ['case_sensitive 1', 'unknown flag "1"'],
    ['float_tolerance', 'float_tolerance needs a number'],
    ['float_tolerance case_sensitive', 'float_tolerance needs a decimal number, not "case_sensitive"'],
    ['float_tolerance nan', 'float_tolerance needs a decimal number, not "nan"'],
    ['float_tolerance inf', 'float_tolerance needs a decimal number, not "inf"'],
    ['float_tolerance 0x1', 'float_tolerance needs a decimal number, not "0x1"'],
    ['float_tolerance 1e999', 'float_tolerance is too large: "1e999"'],
    ['float_absolute_tolerance -1', 'float_absolute_tolerance must not be negative: "-1"'],
    ['float_tolerance 1 float_tolerance 1', 'float_tolerance is given twice'],
    ['float_relative_tolerance 1 float_relative_tolerance 2', 'float_relative_tolerance is given twice'],
    ['float_absolute_tolerance 1 float_absolute_tolerance 1', 'float_absolute_tolerance is given twice'],
    ['float_tolerance 1 float_relative_tolerance 1', 'float_tolerance sets both tolerances'],
    ['float_absolute_tolerance 1 float_tolerance 1', 'float_tolerance sets both tolerances'],
  ])('%j are refused', (flags, error) => {
    expect(parseFlags(flags)).toEqual({ ok: false, error: expect.stringContaining(error) })
  })
})
