import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { useContestApplier } from './support/contest-applier.ts'
import { makeContestFolder } from './support/contest-folder.ts'

const applier = useContestApplier()
const { apply, readEvent } = applier

const OVER = { start: '2020-12-01 09:00', duration: '3h' }
const REFUSAL = 'The contest would be over already: its end, 2020-12-01 12:00 Europe/Berlin, has passed.'

describe('a contest file whose times have passed', () => {
  it('creates no contest without --force', async () => {
    const folder = await makeContestFolder('late')
    await folder.writeContest(OVER)
    const { exitCode, stderr } = await apply(folder, '--yes')
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(REFUSAL) })
    expect(await readdir(folder.path)).not.toContain('contest.lock')
    const forced = await apply(folder, '--yes', '--force')
    expect(forced).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('  warning: the contest would be over already: its end, 2020-12-01'),
    })
    expect(await readEvent(folder)).toMatchObject({ end_time: '2020-12-01T11:00:00Z' })
  })

  it('does not move a contest that has not started without --force', async () => {
    const folder = await makeContestFolder('moved')
    await apply(folder, '--yes')
    await folder.writeContest(OVER)
    expect(await apply(folder, '--yes')).toMatchObject({
      ...{ exitCode: 2, stderr: expect.stringContaining(REFUSAL) },
    })
    expect(await readEvent(folder)).toMatchObject({ end_time: '2100-12-01T11:00:00Z' })
    expect(await apply(folder, '--yes', '--force')).toMatchObject({ exitCode: 0 })
    expect(await readEvent(folder)).toMatchObject({ end_time: '2020-12-01T11:00:00Z' })
    // It is over: without a change of the times there is nothing to say.
    expect(await apply(folder)).toMatchObject({ exitCode: 0, stdout: 'No changes.\n' })
  })

  it('warns of a start that has passed, and of an end that comes back', async () => {
    const folder = await makeContestFolder('begun')
    await folder.writeContest({ ...OVER, duration: undefined, end: '2100-12-01 12:00' })
    expect(await apply(folder, '--yes')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(
        '  warning: the contest starts at once: its start, 2020-12-01 09:00 Europe',
      ),
    })
    await folder.writeContest(OVER)
    await apply(folder, '--yes', '--force')
    await folder.writeContest({ ...OVER, duration: undefined, end: '2100-12-01 12:00' })
    expect((await apply(folder, '--force', '--dry-run')).stdout).toContain(
      '  warning: the contest has ended: people may submit again, and results since the freeze are hidden again\n',
    )
  })
})
