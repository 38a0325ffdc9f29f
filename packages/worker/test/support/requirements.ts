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

/** `test`, or a test that is left out with the reason in its title. */
export function testUnless(
  reason: string | undefined,
): (title: string, run: (context: TestContext) => Promise<void>) => void {
  return (title, run) => {
    if (reason === undefined) {
      test(title, run)
    } else {
      test.skip(`${title} (LEFT OUT: ${reason})`, run)
    }
  }
}
