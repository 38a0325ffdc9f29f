import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { type Part, partsOf } from '../scripts/check/parts.ts'
import { explainFailure, runPart } from '../scripts/check/run-part.ts'
import { measureSlowness } from '../scripts/check/slowness.ts'
import config from '../vitest.config.ts'
import { makeTemporaryFolder } from './support/temporary-folder.ts'

describe('npm run check', () => {
  const run = async (part: Partial<Part>) =>
    runPart(
      { name: 'part', level: '.ci/run', command: ['true'], ...part },
      await makeTemporaryFolder(),
      false,
    )

  it.each([
    ['passes with the command', {}, undefined],
    ['fails with the command', { command: ['sh', '-c', 'exit 3'] }, 'ended with 3'],
  ])('a part %s', async (_, part, failure) => {
    const outcome = await run(part)
    if (failure === undefined) expect(outcome.failure).toBeUndefined()
    else expect(outcome.failure).toMatch(failure)
  })

  it('a part fails above its CPU time, which is longer on a slow machine', async () => {
    expect(explainFailure(0, 373, 1, 300)).toMatch(/^used 373 CPU seconds, more than 300 /)
    expect(explainFailure(0, 373, 1.3, 300)).toBeUndefined()
    expect((await run({ command: ['node', '-e', ''] })).cpuSeconds).toBeGreaterThan(0)
    expect(await measureSlowness(1)).toBeGreaterThanOrEqual(1)
  })

  it('runs each project of Vitest once, and the service also on the embedded database and a newer PostgreSQL', async () => {
    const { scripts } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
    const run = [scripts.test, ...partsOf('npm run check').map(({ command }) => command.join(' '))]
    const named = run.flatMap((text) => [...text.matchAll(/--project (\w+)/g)].map(([, name]) => name))
    const projects = config.test?.projects?.map((project) => Object(project).test.name)
    const again = ['service', 'service', 'models']
    expect(named.sort()).toEqual([...(projects ?? []), ...again].sort())
  })
})
