import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

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

/** Tests the help and the errors of a tool; the first option takes a value that is not any text. */
export function testCommandLine(name: string, options: readonly string[]): void {
  describe(`npm run ${name}`, () => {
    it('prints its help, even after a wrong option', async () => {
      const { code, output, errors } = await run(name, ['--wrong', '--help'])
      expect({ code, errors }).toEqual({ code: 0, errors: '' })
      expect(output).toMatch(new RegExp(`^Usage: npm run ${name} -- `))
      for (const option of [...options, '-h, --help']) expect(output).toContain(`\n  ${option}`)
    })

    it('exits with 2 and one line for an unknown option or a wrong value', async () => {
      const errors = "unknown option '--wrong' (see --help)\n"
      expect(await run(name, ['--wrong'])).toEqual({ code: 2, output: '', errors })
      const message = new RegExp(`^option '${options[0]} .+'wrong' is invalid. .+ \\(see --help\\)\n$`)
      const wrong = { code: 2, output: '', errors: expect.stringMatching(message) }
      expect(await run(name, [options[0] ?? '', 'wrong'])).toEqual(wrong)
    })
  })
}
