import { execFileSync } from 'node:child_process'
import { test } from 'vitest'

/** The reason why a test that needs this command is left out; undefined where the command works. */
export function missing(command: string, args: readonly string[] = ['--version']): string | undefined {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return undefined
  } catch {
    return `${command} is not installed`
  }
}

/** `test`, or where a reason is given a test that is visibly left out for it. */
export function testUnless(reason: string | undefined): (title: string, run: () => Promise<void>) => void {
  return (title, run) => {
    if (reason === undefined) {
      test(title, run)
    } else {
      test.skip(`${title} (LEFT OUT: ${reason})`, run)
    }
  }
}
