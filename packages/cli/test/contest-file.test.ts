import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readContestFile } from '../src/contest/contest-file.ts'
import { ContestFileSchema, findFaults } from '../src/contest/schema.ts'
import { readMinutes, readTime } from '../src/contest/times.ts'
import { type ContestFolder, makeContestFolder } from './support/admin.ts'
import { judge } from './support/command-line.ts'

const read = (folder: ContestFolder) => readContestFile(folder.at('contest.yaml'))

/** The lines of the message, after the first. */
async function readFaults(folder: ContestFolder): Promise<string[]> {
  const err: unknown = await read(folder).catch((err: unknown) => err)
  expect(err).toMatchObject({ name: 'CliError', exitCode: 2 })
  const [first, ...faults] = String(Object(err).message).split('\n')
  expect(first).toBe(`${folder.at('contest.yaml')}: nothing was changed. Correct this first:`)
  return faults.map((line) => line.trim())
}

describe('a contest file', () => {
  it('is read with its packages and people', async () => {
    const folder = await makeContestFolder()
    await folder.write(
      'people.csv',
      'Name;Seat;email;extra_minutes;hidden\nNora;x;nora@example.org;30;\nOmar;x;omar@example.org;;yes\n',
    )
    await folder.writeContest({ staff: 'staff.csv', freeze: '30m' })
    await folder.write('staff.csv', 'name,email,hidden,team\nTina,tina@example.org,yes,Red\n')
    const wanted = await read(folder)
    expect(wanted).toMatchObject({
      timeZone: 'Europe/Berlin',
      start: Date.parse('2100-12-01T08:00:00Z'),
      end: Date.parse('2100-12-01T11:00:00Z'),
      freeze: Date.parse('2100-12-01T10:30:00Z'),
      problems: [
        { path: 'sum', label: 'A', color: 'red', position: 0, hash: expect.any(String) },
        { path: 'rain', label: 'B', position: 1 },
      ],
      participants: [
        { name: 'Nora', email: 'nora@example.org', extraMinutes: 30, hidden: false },
        { name: 'Omar', email: 'omar@example.org', hidden: true },
      ],
      staff: [{ email: 'tina@example.org' }],
      warnings: [
        `${folder.at('people.csv')}: the column Seat is ignored`,
        `${folder.at('staff.csv')}: the columns hidden, team are ignored`,
      ],
    })
    expect(wanted.participants?.[1]).not.toHaveProperty('extraMinutes')
  })

  it('of the README and the help is a right one', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
    const { stdout } = await judge(['contest', 'apply', '--help'])
    const examples = [
      /```yaml\n(title: .*?)```/s.exec(readme)?.[1],
      /contest\.yaml:\n(.*?)\n\n/s.exec(stdout)?.[1],
    ]
    for (const example of examples) expect(findFaults(ContestFileSchema, parse(example ?? ''))).toEqual([])
  })

  const POINTS = 'must be a number above 0 and up to 1000000, with at most two decimals.'

  it('that is wrong has all its faults in one message', async () => {
    const folder = await makeContestFolder()
    const problems =
      '[{package: sum, colour: red, label: ABCDEFGHIJK, points: 0.001}, {pakage: rain, color: "#12", points: 0}, 7]'
    await folder.writeContest({
      ...{ title: '7', start: undefined, penalty: '20', scoring: 'acm', teams: 'maybe' },
      ...{ medals: '{gold: 1}', problems },
    })
    expect(await readFaults(folder)).toEqual([
      'penalty is unknown. Known are: title, description, address, time_zone, start, end, duration, freeze, teams, penalty_minutes, admission, scoreboard, clarifications, scoring, medals, languages, problems, participants, staff.',
      'start is missing: it must be a time in the time zone, such as 2026-12-01 09:00.',
      'title must be a text.',
      'teams must be true or false.',
      'scoring must be one of: icpc, points.',
      'medals.silver is missing: it must be a whole number from 0 to 1000.',
      'medals.bronze is missing: it must be a whole number from 0 to 1000.',
      'problems[1].colour is unknown. Did you mean color?',
      'problems[1].label must be a text of at most 10 characters, in quotes if it is a number.',
      `problems[1].points ${POINTS}`,
      'problems[2].pakage is unknown. Did you mean package?',
      'problems[2].package is missing: it must be the path of a package: a folder or a zip, from the folder of this file.',
      'problems[2].color must be the name of a colour, or # and hexadecimal digits in quotes, such as "#d00".',
      `problems[2].points ${POINTS}`,
      'problems[3] must have fields: package, label, color, points, hidden, accept_timeout, execution_timeout, memory_limit.',
    ])
  })

  it('names everything that it refers to and that is not there', async () => {
    const folder = await makeContestFolder()
    const problems = '[{package: sum, label: A}, {package: nowhere}, {package: ./sum/, label: a}]'
    await folder.writeContest({
      ...{ problems, participants: 'nobody.csv', staff: '[tina]', languages: '[]' },
      end: '2100-12-01 10:00',
    })
    expect(await readFaults(folder)).toEqual([
      'end and duration are both given. Leave out one of them.',
      'languages has no language. Leave it out to allow all languages.',
      'staff[1] must be an e-mail address.',
      'problems[3].package is the same as problems[1].package.',
      'problems[3].label is the same as problems[1].label.',
      `problems[2].package: ${folder.at('nowhere')}: there is no such file or folder.`,
      `participants: ${folder.at('nobody.csv')}: there is no such file or folder.`,
    ])
  })

  const FREEZE = 'freeze must be a time such as 2026-12-01 11:00, or a duration before the end, such as'
  it.each([
    [{ duration: 'long' }, 'duration must be a duration such as 3h, 1h 30m or 90 (minutes).'],
    [{ duration: undefined }, 'duration is missing: write duration, such as 3h, or end.'],
    [{ duration: undefined, end: '2100-12-01 08:00' }, 'end must be after start.'],
    [{ freeze: '5h' }, 'freeze must not be before the start.'],
    [{ freeze: '2100-12-02 08:00' }, 'freeze must not be after the end.'],
    [{ freeze: 'late' }, `${FREEZE} 1h or 60 (minutes).`],
    [{ time_zone: 'Berlin' }, /^time_zone: Berlin is no known time zone\. Write one such as Europe\/Berlin/],
    [{ start: '2100-12-01' }, 'start must be a time such as 2026-12-01 09:00.'],
    [{ duration: undefined, end: '2100-11-30 24:00' }, 'end must be after start.'],
    [{ start: '2100-02-30 09:00' }, 'start: 2100-02-30 09:00 is not in the calendar.'],
  ])('with %j is refused', async (fields, message) => {
    const folder = await makeContestFolder()
    await folder.writeContest(fields)
    const expected = typeof message === 'string' ? message : expect.stringMatching(message)
    expect(await readFaults(folder)).toEqual([expected])
  })

  it.each([
    ['team', 'Red', 'participants: Nora is on the team Red. Write teams: true, or leave out the column.'],
    ['extra_minutes', 'long', 'line 2: extra_minutes must be a whole number of at most 10080.'],
    ['extra_minutes', '10081', 'line 2: extra_minutes must be a whole number of at most 10080.'],
    ['hidden', 'maybe', 'line 2: hidden must be yes or no, not maybe.'],
  ])('with %s %s in the people is refused', async (column, value, message) => {
    const folder = await makeContestFolder()
    await folder.write('people.csv', `name,email,${column}\nNora,nora@example.org,${value}\n`)
    expect((await readFaults(folder)).at(-1)).toBe(message)
  })

  it('with a column whose name resembles a known one is refused', async () => {
    const folder = await makeContestFolder()
    await folder.write('people.csv', 'name,email,extra_minute\nNora,nora@example.org,30\n')
    await folder.write('staff.csv', 'name,E-Mail,email\nTina,,tina@example.org\n')
    await folder.writeContest({ staff: 'staff.csv' })
    expect(await readFaults(folder)).toEqual([
      `participants: ${folder.at('people.csv')}: the header has the column extra_minute. Call it extra_minutes, or leave it out.`,
      `staff: ${folder.at('staff.csv')}: the header has the column E-Mail. Call it email, or leave it out.`,
    ])
  })

  it('with empty values is refused with their lines, and says how to quote what YAML reads as a comment', async () => {
    const folder = await makeContestFolder()
    const lines = [
      ...['title: #1 of all # the best', 'description:', 'time_zone: UTC', 'start: 2100-12-01 09:00'],
      ...[
        'duration: ~',
        'colour: #0f0',
        'languages:',
        '  - #C',
        '  -',
        'medals: {gold: 1, silver, bronze: }',
      ],
      ...['problems:', '  - package: sum', '    label: A', '    color: #00f', 'staff: # later'],
    ]
    await folder.write('contest.yaml', `${lines.join('\n')}\n`)
    expect(await readFaults(folder)).toEqual([
      'title has no value in line 1: quote it: "#1 of all".',
      'description has no value in line 2: write one, or leave it out.',
      'duration has no value in line 5: write one, or leave it out.',
      'colour has no value in line 6: quote it: "#0f0".',
      'languages[1] has no value in line 8: quote it: "#C".',
      'languages[2] has no value in line 9: write one, or leave it out.',
      'medals.silver has no value in line 10: write one, or leave it out.',
      'medals.bronze has no value in line 10: write one, or leave it out.',
      'problems[1].color has no value in line 14: quote it: "#00f".',
      'staff has no value in line 15: write one, or leave it out.',
      expect.stringMatching(/^colour is unknown\. Known are: /),
    ])
  })

  it.each(['[{package: sum, color: #00f}]', '\n  - {package: sum,\n     color: #00f,\n     label: A}'])(
    'with %j says what hides the end of the braces',
    async (problems) => {
      const folder = await makeContestFolder()
      await folder.writeContest({ problems })
      await expect(read(folder)).rejects.toThrow(/ a comment begins: quote it: "#00f"$/)
    },
  )

  it('that is no YAML is refused with the line', async () => {
    const folder = await makeContestFolder()
    await folder.write('contest.yaml', 'title: "Exam\nstart: 1\n')
    await expect(read(folder)).rejects.toThrow(/contest\.yaml: .* at line \d/)
    await folder.write('contest.yaml', 'title: A\ntitle: B\n')
    await expect(read(folder)).rejects.toThrow(/Map keys must be unique at line 2/)
    await folder.write('contest.yaml', '')
    expect(await readFaults(folder)).toEqual([expect.stringContaining('must have fields: title, ')])
  })
})

describe('a local time', () => {
  it.each([
    ['2026-12-01 09:00', '2026-12-01T08:00:00.000Z'],
    ['2026-07-01T09:00:30', '2026-07-01T07:00:30.000Z'],
    ['2026-07-01 09:00Z', '2026-07-01T09:00:00.000Z'],
    ['2026-10-25T02:30+01:00', '2026-10-25T01:30:00.000Z'],
    ['2026-12-31 24:00', '2026-12-31T23:00:00.000Z'],
    ['2026-12-31T24:00:00', '2026-12-31T23:00:00.000Z'],
    ['2026-12-31 24:00+01:00', '2026-12-31T23:00:00.000Z'],
    ['2026-10-25 02:30 +02:00', '2026-10-25T00:30:00.000Z'],
  ])('%s is an instant', (text, instant) => {
    expect(new Date(readTime(text, 'Europe/Berlin')).toISOString()).toBe(instant)
  })

  it('that the change of the clocks skips is refused, or that occurs twice, with both ways to write it', () => {
    expect(() => readTime('2026-03-29 02:30', 'Europe/Berlin')).toThrow('does not exist in Europe/Berlin')
    expect(() => readTime('2026-10-25 02:30', 'Europe/Berlin')).toThrow(
      'occurs twice in Europe/Berlin, because the clocks go back then. Write 2026-10-25T02:30+02:00 or 2026-10-25T02:30+01:00',
    )
    // The clocks of Lord Howe Island change by half an hour.
    expect(() => readTime('2026-04-05 01:45', 'Australia/Lord_Howe')).toThrow('occurs twice')
    expect(() => readTime('2026-04-05 02:15', 'Australia/Lord_Howe')).not.toThrow()
    // In Asunción the clocks went forward at midnight.
    expect(() => readTime('2023-09-30 24:00', 'America/Asuncion')).toThrow('does not exist')
    const none = ['', '2026-12-01', '09:00', '2026-12-01 9:00', '2026-12-01 25:00', '2026-13-01 09:00']
    for (const text of [...none, '2026-12-01 24:01', '2026-12-01 09:00:61Z'])
      expect(() => readTime(text, 'Europe/Berlin'), text).toThrow()
  })
})

it.each<[number | undefined, unknown[]]>([
  [90, [90, '90', '1h 30m', '90 min', '1:30']],
  [180, ['3h']],
  [undefined, ['1h30', '0:00', '', 0, -5, 1.5, 'h', 'soon']],
])('a duration of %j minutes is written %j', (minutes, texts) => {
  for (const text of texts) expect(readMinutes(text), String(text)).toBe(minutes)
})
