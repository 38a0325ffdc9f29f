import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeEnvironment } from '../../packages/worker/src/sandbox/bubblewrap-arguments.ts'
import type { CostProblem } from './judging-problems.ts'

const SANDBOX = 'bwrap --unshare-all --ro-bind / / --proc /proc --dev /dev'

// A failed command ends the loop: it may not be quicker for that. `set -e` does not reach a
// subshell's conditions, so that the comparison is a command of its own.
const makeScript = (compile: string, run: string, tests: number) => `set -e
tests=$1 count=$2
while [ "$count" -gt 0 ]; do
  count=$((count - 1))
  dir=$(mktemp -d)
  cp "$tests/source" "$dir/$3"
  ${SANDBOX} --tmpfs /tmp --bind "$dir" "$dir" --chdir "$dir" ${compile}
  test=1
  while [ "$test" -le ${tests} ]; do
    ${SANDBOX} ${run} < "$tests/$test.in" > "$dir/output"
    cmp "$dir/output" "$tests/$test.ans"
    test=$((test + 1))
  done
  rm -r "$dir"
done`

/** Makes the plain shell loops of a problem, and lets `use` run them. */
export async function withLoops<T>(
  problem: CostProblem,
  use: (runLoops: (loops: number, submissions: number) => Promise<number>) => Promise<T>,
): Promise<T> {
  const { source, sourceFile, tests, compile, run } = problem
  const folder = await mkdtemp(join(tmpdir(), 'judging-loops-'))
  try {
    await writeFile(join(folder, 'source'), source)
    for (const [index, { input, expected_output }] of tests.entries()) {
      await writeFile(join(folder, `${index + 1}.in`), input)
      await writeFile(join(folder, `${index + 1}.ans`), expected_output)
    }
    const script = makeScript(compile, run, tests.length)
    // The same commands as in the worker's sandbox.
    const options = { env: makeEnvironment({}), cwd: '/' }
    const runLoop = (submissions: number) =>
      promisify(execFile)('/bin/sh', ['-c', script, 'sh', folder, String(submissions), sourceFile], options)
    return await use(async (loops, submissions) => {
      const startedMs = performance.now()
      await Promise.all(Array.from({ length: loops }, () => runLoop(submissions / loops)))
      return performance.now() - startedMs
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}
