import fc from 'fast-check'
import { zipFiles } from '../local-servers/zip.ts'
import type { Body } from './plan.ts'

const files: Readonly<Record<string, string>> = {
  'problem.yaml': 'problem_format_version: 2025-09\nname: Echo\nuuid: echo\nkeywords: [fuzz]\n',
  'statement/problem.en.md': 'Print the line.\n',
  'statement/picture.png': 'a picture',
  'attachments/page.html': '<script>1</script>\n',
  'data/sample/1.in': '1\n',
  'data/sample/1.ans': '1\n',
  'data/secret/1.in': '2\n',
  'data/secret/1.ans': '2\n',
  'input_validators/check.py': 'exit(42)\n',
  'submissions/accepted/echo.py': 'print(input())\n',
  'submissions/accepted/parts/main.py': 'import echo\n',
  'submissions/accepted/parts/echo.py': 'print(input())\n',
}

const scoring = {
  ...files,
  'problem.yaml': 'problem_format_version: 2025-09\nname: Points\nuuid: points\ntype: scoring\n',
  'data/secret/test_group.yaml': 'max_score: 7\n',
}

const packages = [await zipFiles(files), await zipFiles(scoring)]

/** Packages that the service imports. */
export const rightPackages: fc.Arbitrary<Body> = fc
  .constantFrom(...packages)
  .map((bytes) => ({ as: 'bytes', bytes }))

const damage = fc.record({ place: fc.nat(10_000), byte: fc.nat(255) })

/** Packages with a few wrong bytes, or without their end. */
export const damagedPackages: fc.Arbitrary<Body> = fc
  .tuple(fc.constantFrom(...packages), fc.array(damage, { maxLength: 3 }), fc.option(fc.nat(10_000)))
  .map(([whole, damages, length]) => {
    const bytes = Buffer.from(whole.subarray(0, length === null ? undefined : length % whole.length))
    for (const { place, byte } of damages) if (bytes.length > 0) bytes[place % bytes.length] = byte
    return { as: 'bytes', bytes }
  })
