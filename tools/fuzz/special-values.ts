import fc from 'fast-check'
import { zipFiles } from '../local-servers/zip.ts'
import type { Json } from './json.ts'

const flags = fc.constantFrom('', 'case_sensitive', 'float_tolerance 1e-6 space_change_sensitive')
/** Every problem has at least one test case. */
const case_flags = fc.tuple(fc.record({ cases: fc.constant([1]), flags }))
const files = [{ name: 'validator.py', content: 'raise SystemExit(42)\n' }]
const validator = {
  type: fc.constantFrom('custom', 'interactive'),
  files: fc.constant(files),
  language: fc.constantFrom('Python', 'py'),
}
const points = fc.integer({ min: 0, max: 100_000_000 }).map((hundredths) => hundredths / 100)
const aggregation = fc.constantFrom('sum', 'min')

const group = fc.record({ points, aggregation, name: fc.constant('first'), cases: fc.constant([1]) })
const outer = group.map((inner) => {
  const { points, aggregation } = inner
  return { name: 'all', points, aggregation, groups: [inner] }
})

const program = (await zipFiles({ 'Main.py': 'print(3)' })).toString('base64')

/**
 * Right values whose rules a schema cannot express, by name: fields of problems and of the Contest
 * API, and files of the pages. The name of the webhook's host is reserved: nothing is ever sent.
 */
export const specialValues: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  validation: fc.oneof(
    fc.record({ type: fc.constant('default'), flags, case_flags }, { requiredKeys: ['type'] }),
    fc.record({ ...validator, flags, case_flags }, { requiredKeys: ['type', 'files', 'language'] }),
    fc.record({
      type: fc.constant('custom'),
      protocol: fc.constant('testlib'),
      files: fc.constant(files),
      run: fc.constant(['python3', '{dir}/validator.py']),
    }),
  ),
  test_groups: fc.tuple(fc.oneof(group, outer)),
  limits: fc.record({
    output: fc.integer({ min: 1, max: 256 }),
    time_multipliers: fc.constantFrom({ Python: 2.5 }, { C: 1, java: 2 }),
  }),
  data: fc.constant(program),
  file: fc.constantFrom('licences.txt', 'scoreboard.html'),
  group_id: fc.constant('participants'),
  url: fc.constantFrom('https://fuzz.invalid/', 'https://fuzz.invalid:8443/hook?a=b'),
}
