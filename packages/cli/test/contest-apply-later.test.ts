import { EventEmitter } from 'node:events'
import { readFile } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { until } from '../../../test/support/until.ts'
import { run } from '../src/run.ts'
import { readId, readLock, useContestApplier } from './support/contest-applier.ts'
import { type ContestFolder, makeContestFolder, writePackage } from './support/contest-folder.ts'
import { startLossyProxy } from './support/lossy-proxy.ts'

const applier = useContestApplier()
const { apply, startContest, readEvent, readProblems, readPeople } = applier

describe('persons and problems that are no longer in the file', () => {
  it('stay without --force', async () => {
    const folder = await makeContestFolder('kept')
    await apply(folder, '--yes')
    await folder.writeContest({ problems: '[{package: sum, label: A, color: red}]' })
    await folder.write('people.csv', 'name,email\nNora kept,Nora-kept@example.org\n')
    const { exitCode, stdout } = await apply(folder, '--yes')
    expect(exitCode).toBe(0)
    expect(stdout).toBe(
      '  kept: problem B "The rain": not in the file; --force removes\n' +
        '  kept: participant Omar kept <Omar-kept@example.org>: not in the file; --force removes\n' +
        'No changes.\n',
    )
    expect(await readPeople(folder)).toHaveLength(2)
    expect(await readProblems(folder)).toHaveLength(2)
  })

  it('are removed with --force, but not their records', async () => {
    const folder = await makeContestFolder('removed')
    await apply(folder, '--yes')
    const [, rain] = await readProblems(folder)
    await folder.writeContest({ problems: '[{package: sum, label: A, color: red}]' })
    await folder.write('people.csv', 'name,email\nNora removed,Nora-removed@example.org\n')
    const { stdout } = await apply(folder, '--yes', '--force')
    expect(stdout).toContain('- problem B "The rain"\n- participant Omar removed <Omar-removed@example.org>')
    expect(await readPeople(folder)).toEqual(['Nora removed'])
    expect(await readProblems(folder)).toMatchObject([{ label: 'A' }])
    expect(await applier.root.get(`/v1/problems/${rain.problem_id}`)).toMatchObject({ title: 'The rain' })
    expect(await applier.root.get('/v1/users?username=omar%20removed')).toHaveLength(1)
    // They come back with the file, as the same records.
    await folder.writeContest()
    await folder.write(
      'people.csv',
      'name,email\nNora removed,Nora-removed@example.org\nOmar removed,Omar-removed@example.org\n',
    )
    expect(await apply(folder, '--yes')).toMatchObject({ exitCode: 0 })
    expect(await readProblems(folder)).toMatchObject([{ label: 'A' }, { problem_id: rain.problem_id }])
    expect(await readPeople(folder)).toHaveLength(2)
  })

  it('are hidden with --force if they have submissions', async () => {
    const folder = await makeContestFolder('tried')
    await startContest(folder)
    const id = await readId(folder)
    const [, rain] = await readProblems(folder)
    const [language] = await applier.root.get('/v1/languages')
    const [nora] = await applier.root.get('/v1/users?username=nora%20tried')
    await applier.root.post('/v1/submissions', {
      ...{ user_id: nora.id, event_id: id, problem_id: rain.problem_id },
      ...{ language_id: language.id, source_code: 'print(7)' },
    })
    const file = (await readFile(folder.at('contest.yaml'), 'utf8')).replace(
      ', {package: rain, label: B}',
      '',
    )
    await folder.write('contest.yaml', file)
    const { stdout } = await apply(folder, '--yes', '--force')
    expect(stdout).toContain('"The rain" has submissions: it is hidden, not removed.')
    expect(await readProblems(folder)).toMatchObject([{ hidden: false }, { hidden: true, label: 'B' }])
    const again = await apply(folder, '--force')
    expect(again.stdout).toBe('  kept: problem B "The rain": not in the file, and hidden\nNo changes.\n')
  })
})

describe('a contest that has started', () => {
  it('keeps its tests and its end without --force', async () => {
    const folder = await makeContestFolder('running')
    await startContest(folder)
    const { end_time } = await readEvent(folder)
    await writePackage(folder, 'sum', '5\n')
    await folder.write(
      'contest.yaml',
      (await readFile(folder.at('contest.yaml'), 'utf8')).replace(/end: .*/, 'duration: 9h'),
    )
    const proxy = await startLossyProxy(applier.service.url)
    await folder.write('contest.lock', (await readLock(folder)).replace(applier.service.url, proxy.url))
    const { exitCode, stderr } = await apply(folder, '--yes', '--url', proxy.url)
    expect({ exitCode, writes: proxy.writes }).toEqual({ exitCode: 2, writes: [] })
    expect(stderr).toContain('its end at the service is ')
    expect(stderr).toContain('judge contest extend')
    expect(stderr).toContain('the package of problem A (sum) has changed')
    expect(stderr).toContain('judge rejudge')
    expect(await apply(folder, '--yes', '--url', proxy.url, '--force')).toMatchObject({ exitCode: 0 })
    expect((await readEvent(folder)).end_time).not.toBe(end_time)
    const [sum] = await readProblems(folder)
    const tests = await applier.root.get(`/v1/problem_description/${sum.problem_id}/tests`)
    expect(tests.test_cases).toMatchObject([{ expected_output: '5\n' }])
  })

  it('takes other changes', async () => {
    const folder = await makeContestFolder('renamed')
    await startContest(folder)
    await folder.write(
      'contest.yaml',
      (await readFile(folder.at('contest.yaml'), 'utf8')).replace('color: red', 'color: gold'),
    )
    expect(await apply(folder, '--yes')).toMatchObject({ exitCode: 0 })
    expect(await readProblems(folder)).toMatchObject([{ color: 'gold' }, {}])
  })
})

describe('a contest that starts during an apply', () => {
  const start = async (folder: ContestFolder) =>
    applier.root.put(`/v1/events/${await readId(folder)}`, { start_time: '2020-01-01T00:00:00Z' })

  /** Applies a contest, whose file then has another end; the next apply goes through the proxy. */
  async function prepare(name: string) {
    const folder = await makeContestFolder(name)
    await apply(folder, '--yes')
    await folder.writeContest({ duration: '4h' })
    const proxy = await startLossyProxy(applier.service.url)
    await folder.write('contest.lock', (await readLock(folder)).replace(applier.service.url, proxy.url))
    return { folder, proxy }
  }

  it('keeps its tests and times if it starts while the question waits', async () => {
    const { folder, proxy } = await prepare('asking')
    await writePackage(folder, 'sum', '4\n')
    await folder.write('people.csv', 'name,email\nPia asking,pia-asking@example.org\n')
    const open = () => Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
    const { env } = applier
    const io = { stdin: open(), stdout: open(), stderr: open(), env, interrupts: new EventEmitter() }
    let errors = ''
    io.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString()
    })
    const finished = run(['contest', 'apply', folder.path, '--url', proxy.url], io)
    await until(() => expect(errors).toContain('[y/N]'))
    await start(folder)
    io.stdin.write('y\r')
    expect(await finished).toBe(2)
    expect(errors).toContain('The contest has started in the meantime.')
    expect(errors).not.toContain('does only the rest')
    expect(proxy.writes).toEqual([])
  })

  it('keeps its times if it starts while a new package is sent', async () => {
    const { folder, proxy } = await prepare('sending')
    await writePackage(folder, 'snow', '5\n')
    const problems = '[{package: sum, label: A, color: red}, {package: rain, label: B}, {package: snow}]'
    await folder.writeContest({ duration: '4h', problems })
    proxy.beforeWrite(1, () => start(folder))
    const { exitCode, stderr } = await apply(folder, '--yes', '--url', proxy.url)
    expect({ exitCode, writes: proxy.writes.length }).toEqual({ exitCode: 2, writes: 1 })
    expect(stderr).toContain('The contest has started in the meantime.')
    expect(await readEvent(folder)).toMatchObject({ end_time: '2100-12-01T11:00:00Z' })
    expect(await readProblems(folder)).toHaveLength(2)
    expect((await apply(folder, '--yes', '--url', proxy.url)).stderr).toContain('its end at the service is ')
    expect(await apply(folder, '--yes', '--force', '--url', proxy.url)).toMatchObject({ exitCode: 0 })
    expect(await readEvent(folder)).toMatchObject({ end_time: '2100-12-01T12:00:00Z' })
  })

  it('keeps the tests that are not replaced yet', async () => {
    const { folder, proxy } = await prepare('replacing')
    for (const name of ['sum', 'rain']) await writePackage(folder, name, '9\n')
    proxy.beforeWrite(1, () => start(folder))
    expect(await apply(folder, '--yes', '--url', proxy.url)).toMatchObject({ exitCode: 2 })
    const answers = (await readProblems(folder)).map(async ({ problem_id }: { problem_id: number }) => {
      const { test_cases } = await applier.root.get(`/v1/problem_description/${problem_id}/tests`)
      return test_cases[0].expected_output
    })
    expect(await Promise.all(answers)).toEqual(['9\n', '7\n'])
  })

  it('is changed all the same with --force', async () => {
    const { folder, proxy } = await prepare('forced')
    await writePackage(folder, 'sum', '4\n')
    proxy.beforeWrite(1, () => start(folder))
    expect(await apply(folder, '--yes', '--force', '--url', proxy.url)).toMatchObject({ exitCode: 0 })
    expect(await readEvent(folder)).toMatchObject({ end_time: '2100-12-01T12:00:00Z' })
  })
})
