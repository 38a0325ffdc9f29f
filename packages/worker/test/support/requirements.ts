import { execFileSync } from 'node:child_process'
import { type TestContext, test } from 'vitest'

/** Undefined if the command works, else the reason to leave out a test. */
export function missing(command: string, args: readonly string[] = ['--version']): string | undefined {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return undefined
  } catch {
    return `${command} is not installed`
  }
}

/** `test`, or a test that is left out for a reason. */
export function testUnless(
  reason: string | undefined,
): (title: string, run: (context: TestContext) => Promise<void>) => void {
  return (title, run) => test(title, reason === undefined ? {} : { skip: true, meta: { reason } }, run)
}
