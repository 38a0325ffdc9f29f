import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ACCEPTED = 42
const REJECTED = 43
const problems = fileURLToPath(new URL('../../demo/problems/', import.meta.url))

/** Of each problem, inputs with one fault each. */
const faulty: Readonly<Record<string, readonly string[]>> = {
  brokencable: ['', '10', '10\n\n', ' 10\n', '1\n', '1000001\n', '010\n', '+5\n', '10\r\n'],
  countthemirrors: ['', 'abc', '\n', 'Abc\n', 'ab c\n', 'abc\n\n', `${'a'.repeat(100_001)}\n`, 'é\n'],
  courierroute: ['', '1 0', '0 0\n', '10001 0\n', '2 -1\n', '2 0\n1 2 3\n', '2 1\n1 1 5\n', '2 1\n1 2  5\n'],
  rainbarrel: ['', '0\n1\n0\n', '1\n10 10\n0\n', '1\n10 10\n1\n101\n', '1\n0 10\n1\n0\n', '1\n10 10\n1\n5'],
  receptiondesks: ['', '0\n', '1\n5 5\n', '1\n6 5\n', '1\n-1 5\n', '2\n0 1\n', '1\n0 1\n0 2\n', '1\n0 1 \n'],
  risingbalances: [
    '',
    '0\n\n',
    '1\n',
    '1\n5',
    '2\n1  2\n',
    '2\n1\n',
    '2\n1\t2\n',
    '1\n1000000000001\n',
    '1\n05\n',
  ],
}

/** Runs a validator in one process on all inputs of stdin, a JSON list; prints its exit codes. */
const HARNESS = `
import contextlib, io, json, runpy, sys
codes = []
for text in json.load(sys.stdin):
    sys.stdin = io.TextIOWrapper(io.BytesIO(text.encode()))
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            runpy.run_path(sys.argv[1])
    except SystemExit as end:
        codes.append(end.code)
print(json.dumps(codes))
`

function validate(problem: string, inputs: readonly string[]): unknown {
  const validator = `${problems}${problem}/input_validators/validate.py`
  const { stdout, stderr } = spawnSync('python3', ['-c', HARNESS, validator], {
    input: JSON.stringify(inputs),
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

it.each(readdirSync(problems))('the input validator of %s accepts its test cases', (problem) => {
  const inputs = ['sample', 'secret'].flatMap((group) => {
    const folder = `${problems}${problem}/data/${group}/`
    const names = readdirSync(folder).filter((file) => file.endsWith('.in'))
    return names.map((name) => readFileSync(folder + name, 'utf8'))
  })
  expect(validate(problem, inputs)).toEqual(inputs.map(() => ACCEPTED))
})

it.each(readdirSync(problems))('the input validator of %s rejects faulty inputs', (problem) => {
  const inputs = faulty[problem] ?? []
  expect(inputs.length).toBeGreaterThan(0)
  expect(validate(problem, inputs)).toEqual(inputs.map(() => REJECTED))
})
