import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { CommanderError } from 'commander'
import { describe, expect, it } from 'vitest'
import { readOptions as readBenchOptions } from '../../bench/options.ts'
import { readOptions as readFaultsOptions } from '../../faults/options.ts'
import { readOptions as readFuzzOptions } from '../../fuzz/options.ts'

/** Runs a tool as package.json does, without servers. */
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
  it('prints its help, even after a wrong option', async () => {
    const { code, output, errors } = await run(name, ['--wrong', '--help'])
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(output).toMatch(new RegExp(`^Usage: npm run ${name} -- `))
    for (const option of [...options, '-h, --help']) expect(output).toContain(`\n  ${option}`)
  })

  it('exits with 2 and one line for an unknown option', async () => {
    const errors = "unknown option '--wrong' (see --help)\n"
    expect(await run(name, ['--wrong'])).toEqual({ code: 2, output: '', errors })
  })

  it('exits with 2 and one line for a wrong value', async () => {
    const { code, output, errors } = await run(name, [options[0] ?? '', 'wrong'])
    expect({ code, output }).toEqual({ code: 2, output: '' })
    expect(errors).toMatch(new RegExp(`^option '${options[0]} .+'wrong' is invalid. .+ \\(see --help\\)\n$`))
  })
})

describe('the options of a tool', () => {
  it('have defaults, which --quick replaces', () => {
    expect(readBenchOptions([])).toMatchObject({ mode: 'routes', size: 'both', connections: [1, 32, 256] })
    expect(readBenchOptions(['memory', '--quick', '--size', 'L', '--connections', '2, 4'])).toMatchObject({
      ...{ mode: 'memory', size: 'L', connections: [2, 4], seconds: 0.5, rounds: 1, minutes: 10 },
    })
    expect(readFuzzOptions(['--seed', '4711'])).toEqual({ seconds: 60, seed: 4711 })
    expect(readFaultsOptions(['--short', '--scenario', 'queue purged', '--seed', '0'])).toEqual({
      ...{ short: true, scenario: 'queue purged', seed: 0 },
    })
  })

  it('include a random seed unless one is given', () => {
    expect(readFuzzOptions([]).seed).not.toBe(readFuzzOptions([]).seed)
  })

  it.each([
    [['tables'], 'Allowed choices are routes, contest, memory'],
    [['routes', 'memory'], 'too many arguments'],
    [['--size', 'M'], 'Allowed choices are S, L, both'],
    [['--routes', 'status poll,no such route'], "No route has 'no such route' in its name"],
    [['--connections', '1.5'], 'It must be a whole number from 1 to 1000'],
    [['--connections', ''], 'It must be a whole number'],
    [['--seconds', ''], 'It must be a number from 0.1 to 3600'],
    [['--minutes', '601'], 'It must be a whole number from 1 to 600'],
  ])('of the benchmark are rejected with a hint: %s', (args, message) => {
    const read = () => readBenchOptions(args)
    expect(read).toThrow(CommanderError)
    expect(read).toThrow(message)
  })
})
