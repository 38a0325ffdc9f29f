import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { listCredentials, useContestApplier } from './support/contest-applier.ts'
import { makeContestFolder } from './support/contest-folder.ts'

const applier = useContestApplier()
const { apply } = applier

describe('a second contest', () => {
  it('with the same people says that there are no passwords and no slips', async () => {
    const first = await makeContestFolder('monday')
    await apply(first, '--yes')
    const second = await makeContestFolder('tuesday')
    await second.write('people.csv', await readFile(first.at('people.csv'), 'utf8'))
    const slips = second.at('slips.html')
    const { exitCode, stdout } = await apply(second, '--yes', '--slips', slips)
    expect(exitCode).toBe(0)
    expect(stdout).toContain(
      '2 accounts exist already: no new passwords and no slips for them.\n' +
        `${slips} was not written: all accounts exist already.\n` +
        'To set a new password: judge users password EMAIL --generate\nContest ',
    )
    expect(stdout).not.toContain('Passwords: ')
    expect(await listCredentials(second)).toEqual([])
    const again = await apply(second, '--slips', slips)
    expect(again.stdout).toContain(`${slips} was not written: all accounts exist already.\n`)
    expect(await readdir(second.path)).not.toContain('slips.html')
  })

  it('with one new person has one slip, and counts the others, also those of the staff', async () => {
    const first = await makeContestFolder('spring')
    await apply(first, '--yes')
    const second = await makeContestFolder('autumn')
    const people = await readFile(first.at('people.csv'), 'utf8')
    const [head = '', nora = '', omar = ''] = people.split('\n')
    await second.write('people.csv', `${head}\n${nora}\nPia autumn,pia-autumn@example.org\n`)
    await second.write('staff.csv', `${head}\n${omar}\n`)
    await second.writeContest({ staff: 'staff.csv' })
    const slips = second.at('slips.html')
    const { stdout } = await apply(second, '--yes', '--slips', slips)
    expect(stdout).toContain('\n2 accounts exist already: no new passwords and no slips for them.\n')
    expect(stdout).not.toContain('was not written')
    expect((await readFile(slips, 'utf8')).match(/class="slip"/g)).toHaveLength(1)
    // Nobody joins with the next change.
    await second.writeContest({ staff: 'staff.csv', duration: '4h' })
    expect((await apply(second, '--yes')).stdout).not.toContain('exist')
  })
})
