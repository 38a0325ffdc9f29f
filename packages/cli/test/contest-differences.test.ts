import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { Comparison } from '../src/contest/comparison.ts'
import type { Wanted, WantedProblem } from '../src/contest/contest-file.ts'
import { findDifferences } from '../src/contest/differences.ts'
import type { Lock } from '../src/contest/lock.ts'
import type { ContestState, ServiceState } from '../src/contest/read-state.ts'
import { recoverLock } from '../src/contest/recover.ts'

const source = { path: '', bytes: 0, open: () => Readable.from([]), hash: async () => '' }
const wantedProblem: WantedProblem = { path: 'sum', hash: 'h', position: 0, source, label: 'A' }

const wanted: Wanted = {
  ...{ file: 'contest.yaml', address: undefined, timeZone: 'UTC', freeze: undefined },
  start: Date.parse('2100-01-01T09:00Z'),
  end: Date.parse('2100-01-01T12:00Z'),
  fields: { title: 'Exam', time_zone: 'UTC', start: '', problems: [] },
  problems: [wantedProblem],
  participants: [{ name: 'Nora', email: 'Nora@example.org' }],
  staff: undefined,
  warnings: [],
}

const user = (id: string, name: string, email: string) => ({
  ...{ id, name, email, image: '', is_admin: false, join_date: '' },
})
const nora = user('u1', 'Nora', 'nora@example.org')
const tina = user('u2', 'Tina', 'tina@example.org')

const summary = (id: number, identifier = 'sum'): ServiceState['problems'][number] => ({
  ...{ id, user_id: 'me', identifier, title: 'Sum', prompt: '', source: '', difficulty: 'MEDIUM' },
  ...{ public: false, upload_date: '', updated_at: '', categories: [] },
  ...{ accept_timeout: 3, execution_timeout: 1, memory_limit: 256 },
})

const service: ServiceState = {
  users: new Map([nora, tina].map((one) => [one.email, one])),
  languages: [{ id: 'l1', name: 'Python', version: '3', extension: 'py' }],
  problems: [summary(1)],
  events: [],
}

const contest: ContestState = {
  event: {
    ...{ id: 7, user_id: 'me', title: 'Exam', description: '', teams: false, languages: [1] },
    ...{ start_time: '2100-01-01T09:00:00.000Z', end_time: '2100-01-01T12:00:00Z' },
    ...{ problem_count: 1, participant_count: 1, participants: [], problems: [] },
  },
  clock: { ...{ event_id: 7, now: '', start_time: '', end_time: '', own_end_time: '', state: 'scheduled' } },
  problems: [
    {
      ...{ id: 70, event_id: 7, problem_id: 1, hidden: false, label: 'A', position: 0 },
      ...{ accept_timeout: 3, execution_timeout: 1, memory_limit: 256, problem: summary(1) },
    },
  ],
  participants: [nora],
  teams: new Map(),
}

const lock: Lock = { service: '', contest: 7, problems: { sum: { id: 1, package: 'h' } } }

const now = Date.parse('2099-01-01T00:00Z')
const compare = (changes: Partial<Comparison>) =>
  findDifferences({ wanted, lock, service, contest, now, isForced: false, ...changes })

describe('the differences', () => {
  it('are the rules that the file no longer has', () => {
    const rules = { penalty_minutes: 10, scoring: 'points' as const, enforce_languages: true }
    const event = { ...contest.event, ...rules, languages: ['l1'] }
    const found = compare({ contest: { ...contest, event } })
    const none = { penalty_minutes: null, scoring: null, enforce_languages: null, languages: [] }
    expect(found.fields).toEqual(none)
    expect(found.lines.map(({ text }) => text)).toContain('languages: Python -> all')
  })

  it('are limits only where the contest has others than the problem', () => {
    const linesFor = (execution_timeout: number) =>
      compare({ wanted: { ...wanted, problems: [{ ...wantedProblem, execution_timeout }] } }).lines
    expect(linesFor(2)).toEqual([{ sign: '~', text: 'problem A (sum): execution_timeout 1 -> 2' }])
    expect(linesFor(1)).toEqual([])
    const own = contest.problems.map((one) => ({ ...one, execution_timeout: 5 }))
    expect(compare({ contest: { ...contest, problems: own } }).changed).toEqual([
      { eventProblemId: 70, settings: { execution_timeout: null } },
    ])
  })

  it('leave alone what the file does not mention', () => {
    const { problems: _, ...fields } = wanted.fields
    const less = { ...wanted, fields, problems: [], participants: undefined }
    expect(compare({ wanted: less, isForced: true })).toMatchObject({ lines: [], kept: [] })
  })

  it('keep other staff unless it is forced, and staff may take part', () => {
    const event = { ...contest.event, staff: ['u2'] }
    const state = { ...contest, event, participants: [nora, tina] }
    const staff = [{ email: 'NORA@example.org' }]
    expect(compare({ wanted: { ...wanted, staff }, contest: state })).toMatchObject({
      staff: { emails: ['nora@example.org'], keptIds: ['u2'] },
      lines: [{ sign: '+', text: 'staff nora@example.org' }],
      kept: [expect.stringContaining('staff Tina'), expect.stringContaining('participant Tina')],
    })
    const both = [...staff, { email: 'tina@example.org' }]
    const forced = compare({ wanted: { ...wanted, staff: both }, contest: state, isForced: true })
    expect(forced).toMatchObject({ leaving: [], kept: [] })
    const unknown = compare({ wanted: { ...wanted, staff: [{ email: 'x@example.org' }] } })
    expect(unknown.refusals).toEqual([expect.stringContaining('no account has the address x@example.org')])
  })

  it('refuse another freeze after the start, unless it is forced: it would show or hide results', () => {
    const freeze_time = '2100-01-01T11:00:00Z'
    const started = (event: Partial<ContestState['event']>): ContestState => ({
      ...contest,
      event: { ...contest.event, ...event },
      clock: { ...contest.clock, state: 'running' },
    })
    const later = { ...wanted, freeze: Date.parse('2100-01-01T11:30:00Z') }
    const frozen = started({ freeze_time })
    expect(compare({ wanted: later, contest: frozen }).refusals).toEqual([
      expect.stringContaining('its freeze at the service is 2100-01-01 11:00'),
    ])
    expect(compare({ contest: frozen }).refusals).toHaveLength(1)
    expect(compare({ wanted: later, contest: started({}) }).refusals).toEqual([
      expect.stringContaining('has no freeze at the service'),
    ])
    expect(compare({ wanted: later, contest: frozen, isForced: true }).refusals).toEqual([])
  })

  it('refuse names that other accounts have, and languages that the service does not have', () => {
    const participants = [
      { name: 'TINA', email: 'other@example.org' },
      { name: 'Ada', email: 'a@example.org' },
      { name: 'ada', email: 'b@example.org' },
    ]
    expect(compare({ wanted: { ...wanted, participants } }).refusals).toEqual([
      expect.stringContaining('other@example.org: the name TINA belongs to tina@example.org.'),
      expect.stringContaining('b@example.org: the name ada belongs to a@example.org.'),
    ])
    const fields = { ...wanted.fields, languages: ['python', 'Klingon'] }
    expect(compare({ wanted: { ...wanted, fields } }).refusals).toEqual([
      'languages: there is no language Klingon. The service has: Python.',
    ])
  })

  it.each(['running', 'frozen', 'ended'] as const)('refuse other tests and times if it is %s', (state) => {
    const started = { ...contest, clock: { ...contest.clock, state } }
    const times = { end: wanted.end + 60_000, start: wanted.start + 60_000 }
    const later = { ...wanted, ...times, problems: [{ ...wantedProblem, hash: 'other' }] }
    expect(compare({ wanted: later, contest: started }).refusals).toEqual([
      expect.stringContaining('its start at the service is 2100-01-01 09:00'),
      expect.stringContaining('move the end with "judge contest extend"'),
      expect.stringContaining('the package of problem A (sum) has changed'),
    ])
    expect(compare({ wanted: later, contest: started, isForced: true }).refusals).toEqual([])
    expect(compare({ wanted: later }).refusals).toEqual([])
  })

  it('take no extra minutes after the start unless it is forced, and say who loses how many', () => {
    const withMinutes = { ...contest, participants: [{ ...nora, extra_minutes: 30 }] }
    const started: ContestState = { ...withMinutes, clock: { ...contest.clock, state: 'running' } }
    const compareTo = (cell: object, state: ContestState, isForced = false) => {
      const participants = [{ name: 'Nora', email: 'nora@example.org', ...cell }]
      return compare({ wanted: { ...wanted, participants }, contest: state, isForced })
    }
    expect(compareTo({}, started)).toMatchObject({ lines: [], warnings: [], refusals: [] })
    const loss = {
      lines: [{ sign: '~', text: 'participant Nora <nora@example.org>: extra_minutes 10' }],
      warnings: ['Nora <nora@example.org> loses 20 extra minutes of 30'],
      takesMinutes: true,
    }
    const less = { extraMinutes: 10 }
    expect(compareTo(less, withMinutes)).toMatchObject({ ...loss, refusals: [] })
    expect(compareTo(less, started, true)).toMatchObject({ ...loss, refusals: [] })
    expect(compareTo(less, started).refusals).toEqual([
      'The contest has started, and Nora <nora@example.org> has 30 extra minutes at the service. Leave the cell empty to keep them; --force takes 20 away.',
    ])
    const more = { lines: [expect.anything()], warnings: [], takesMinutes: false, refusals: [] }
    expect(compareTo({ extraMinutes: 31 }, started)).toMatchObject(more)
  })

  it('warn of a start that has passed, and of an end that comes back', () => {
    const begun = 'the contest starts at once: its start, 2098-12-31 23:59 UTC, has passed'
    expect(compare({ wanted: { ...wanted, start: now - 60_000 } }).warnings).toEqual([begun])
    const event = { ...contest.event, end_time: '2098-01-01T12:00:00Z' }
    const ended: ContestState = { ...contest, event, clock: { ...contest.clock, state: 'ended' } }
    expect(compare({ contest: ended, isForced: true }).warnings).toEqual([
      'the contest has ended: people may submit again, and results since the freeze are hidden again',
    ])
  })
})

describe('a lock', () => {
  const recover = (old: Partial<Lock>, changes: Partial<ServiceState> = {}) =>
    recoverLock({ service: '', problems: {}, ...old }, wanted, { ...service, ...changes }, 'me')

  it.each([
    ['older', { after: 1 }, {}],
    ['of somebody else', { after: 0 }, { user_id: 'other' }],
    ['public', { after: 0 }, { public: true }],
  ])('does not take a problem that is %s', (_, pending, change) => {
    const problems = [{ ...summary(1), ...change }]
    expect(recover({ importing: { sum: pending } }, { problems }).problems).toEqual({})
  })

  it('is no guess if another problem may be meant', () => {
    const problems = [summary(1, 'other')]
    expect(() => recover({ importing: { sum: { after: 0 } } }, { problems })).toThrow(
      /One of these problems may come from it:\n {2}1 {2}other {2}Sum\n/,
    )
  })

  it('forgets deleted problems, and follows packages that were moved', () => {
    expect(recover({ problems: { sum: { id: 9, package: 'h' } } }).problems).toEqual({})
    const problems = { old: { id: 1, package: 'h' } }
    expect(recover({ problems }).problems).toEqual({ sum: { id: 1, package: 'h' } })
  })

  it('finds the contest of a creation without a response', () => {
    const event = { ...contest.event, problems: [{ id: 1 }] }
    const creating = { after: 6, title: 'Exam', problems: [1] }
    const found = (change: object) =>
      recover({ creating, problems: lock.problems }, { events: [{ ...event, ...change }] })
    expect(found({})).toEqual({ service: '', contest: 7, problems: lock.problems })
    for (const other of [{ id: 6 }, { title: 'Other' }, { user_id: 'other' }, { problems: [] }])
      expect(found(other)).not.toHaveProperty('contest')
  })
})
