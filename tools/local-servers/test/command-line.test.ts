import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readOptions as readBenchOptions } from '../../bench/options.ts'
import { readOptions as readFaultsOptions } from '../../faults/options.ts'
import { readOptions as readFuzzOptions } from '../../fuzz/options.ts'
import { describeCommand, UsageError } from '../command-line.ts'

/** Runs a command as package.json does, without the servers that it would want. */
function run(name: string, args: readonly string[]) {
  const main = fileURLToPath(new URL(`../../${name}/main.ts`, import.meta.url))
  const options = ['--import', 'tsx', '--conditions=source', main, ...args]
  return new Promise<{ code: unknown; output: string; errors: string }>((resolve) => {
    execFile(process.execPath, options, { env: { PATH: process.env.PATH } }, (err, output, errors) =>
      resolve({ code: err === null ? 0 : err.code, output, errors }),
    )
  })
}

describe.each([
  ['bench', ['--connections', '--rounds', '--quick']],
  ['faults', ['--scenario', '--short', '--seed']],
  ['fuzz', ['--seconds', '--seed', '--operation']],
])('npm run %s', (name, options) => {
  it('prints its help when it is asked for it, whatever else is asked', async () => {
    const { code, output, errors } = await run(name, ['--wrong', '--help'])
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(output).toMatch(new RegExp(`^npm run ${name} -- `))
    for (const option of [...options, '--help']) expect(output).toContain(`\n  ${option}`)
  })

  it('ends with 2 and one line for an option that there is not', async () => {
    expect(await run(name, ['--wrong'])).toEqual({
      code: 2,
      output: '',
      errors: "Unknown option '--wrong' (see --help)\n",
    })
  })

  it('ends with 2 and one line for a value that is none', async () => {
    const { code, output, errors } = await run(name, [options[0] ?? '', 'wrong'])
    expect({ code, output }).toEqual({ code: 2, output: '' })
    expect(errors).toMatch(new RegExp(`^${options[0]} must be .+ 'wrong' \\(see --help\\)\n$`))
  })
})

it('a help tells every option, what stands for its value, and what holds without it', () => {
  const text = describeCommand({
    usage: 'npm run sample -- [OPTION...]',
    purpose: 'Shows how.',
    options: {
      count: { type: 'string', value: 'N', default: '3', meaning: 'how often' },
      all: { type: 'boolean', default: false, meaning: 'leaves nothing out' },
    },
  })
  expect(text.split('\n')).toEqual([
    'npm run sample -- [OPTION...]',
    '',
    'Shows how.',
    '',
    '  --count N  how often (default: 3)',
    '  --all      leaves nothing out',
    '  --help     prints this',
  ])
})

describe('the options of a command', () => {
  it('are what they are by default, and what --quick makes of them where they are not given', () => {
    expect(readBenchOptions([])).toMatchObject({ mode: 'routes', size: 'both', connections: [1, 32, 256] })
    expect(readBenchOptions(['memory', '--quick', '--size', 'L', '--connections', '2, 4'])).toMatchObject({
      ...{ mode: 'memory', size: 'L', connections: [2, 4], seconds: 0.5, rounds: 1, minutes: 10 },
    })
    expect(readFuzzOptions(['--seed', '4711'])).toEqual({ seconds: 60, seed: 4711, operation: undefined })
    expect(readFaultsOptions(['--short', '--scenario', 'queue purged', '--seed', '0'])).toMatchObject({
      ...{ isShort: true, scenario: 'queue purged', seed: 0, json: undefined },
    })
  })

  it('take another seed each time unless one is given', () => {
    expect(readFuzzOptions([]).seed).not.toBe(readFuzzOptions([]).seed)
  })

  it.each([
    [['tables'], 'What to do must be one of routes, contest, memory'],
    [['routes', 'memory'], "Unexpected argument 'memory'"],
    [['--size', 'M'], '--size must be one of S, L, both'],
    [['--routes', 'status poll,no such route'], "no route has 'no such route' in its name"],
    [['--connections', '1.5'], '--connections must be a whole number from 1 to 1000'],
    [['--connections', ''], '--connections must be a whole number'],
    [['--seconds', ''], '--seconds must be a number from 0.1 to 3600'],
    [['--minutes', '601'], '--minutes must be a whole number from 1 to 600'],
  ])('of the benchmark are refused with a word on what they must be: %s', (args, message) => {
    const read = () => readBenchOptions(args)
    expect(read).toThrow(UsageError)
    expect(read).toThrow(message)
  })
})
