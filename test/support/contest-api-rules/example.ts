import type { Item } from './rule.ts'

const START = '2026-04-01T16:00:00.000Z'
export const at = (minute: number) => {
  const two = (number: number) => String(number).padStart(2, '0')
  return {
    time: new Date(Date.parse(START) + minute * 60_000).toISOString(),
    contest_time: `${Math.floor(minute / 60)}:${two(minute % 60)}:00.000`,
  }
}
const ended = (minute: number) => ({ end_time: at(minute).time, end_contest_time: at(minute).contest_time })
const begun = (minute: number) => ({
  start_time: at(minute).time,
  start_contest_time: at(minute).contest_time,
})

const zip = (id: string) => ({
  href: `contests/1/submissions/${id}/files`,
  filename: 'files.zip',
  mime: 'application/zip',
})

/** A contest of two hours after its thaw; every rule has something to look at. */
export const OBJECTS: Record<string, Item[]> = {
  contest: [
    {
      ...{ id: '1', name: 'Finals', start_time: START, duration: '2:00:00.000' },
      ...{ scoreboard_freeze_duration: '1:00:00.000', scoreboard_thaw_time: at(180).time },
      ...{ scoreboard_type: 'pass-fail', main_scoreboard_group_id: 'all', penalty_time: '0:20:00.000' },
    },
  ],
  'judgement-types': [
    { id: 'AC', name: 'Accepted', penalty: false, solved: true, simplified_judgement_type_id: 'AC' },
    { id: 'RE', name: 'Rejected', penalty: true, solved: false, simplified_judgement_type_id: 'RE' },
    { id: 'WA', name: 'Wrong Answer', penalty: true, solved: false, simplified_judgement_type_id: 'RE' },
  ],
  languages: [
    { id: 'c', name: 'C', entry_point_required: false },
    { id: 'java', name: 'Java', entry_point_required: true, entry_point_name: 'Main class' },
  ],
  problems: [
    { id: 'p', label: 'A', name: 'P', ordinal: 1, time_limit: 1.5, test_data_count: 2 },
    { id: 'q', label: 'B', name: 'B', ordinal: 2 },
  ],
  groups: [{ id: 'all', name: 'All' }],
  organizations: [],
  teams: [
    { id: 'owls', name: 'Owls', label: '1', group_ids: ['all'] },
    { id: 'larks', name: 'Larks', label: '2', group_ids: ['all'] },
    { id: 'zoos', name: 'Zoos', label: '3', group_ids: ['all'] },
    { id: 'testers', name: 'Testers', label: '4', group_ids: [] },
  ],
  persons: [
    { id: 'ann', name: 'Ann', role: 'contestant', team_ids: ['owls'] },
    { id: 'sam', name: 'Sam', role: 'staff' },
  ],
  accounts: [
    { id: 'ann', username: 'ann', type: 'team', team_id: 'owls', person_id: 'ann' },
    { id: 'sam', username: 'sam', type: 'staff' },
  ],
  state: [
    {
      started: START,
      frozen: at(60).time,
      ended: at(120).time,
      thawed: at(180).time,
      finalized: at(200).time,
    },
  ],
  submissions: [
    { id: 's1', language_id: 'c', problem_id: 'p', team_id: 'owls', ...at(30), files: [zip('s1')] },
    {
      ...{ id: 's2', language_id: 'java', problem_id: 'p', team_id: 'owls', ...at(40), entry_point: 'Main' },
      files: [zip('s2')],
    },
  ],
  judgements: [
    { id: 'j1', submission_id: 's1', judgement_type_id: 'WA', current: false, ...begun(30), ...ended(31) },
    { id: 'j2', submission_id: 's1', judgement_type_id: 'WA', ...begun(32), ...ended(33) },
    {
      ...{ id: 'j3', submission_id: 's2', judgement_type_id: 'AC', simplified_judgement_type_id: 'AC' },
      ...{ ...begun(40), ...ended(41), max_run_time: 0.25 },
    },
  ],
  runs: [
    { id: 'r1', judgement_id: 'j3', ordinal: 1, judgement_type_id: 'AC', ...at(40), run_time: 0.25 },
    { id: 'r2', judgement_id: 'j3', ordinal: 2, judgement_type_id: 'AC', ...at(41), run_time: 0.125 },
  ],
  clarifications: [
    { id: 'c1', from_team_id: 'owls', problem_id: 'p', text: 'Why?', ...at(50) },
    { id: 'c2', to_team_ids: ['owls'], reply_to_id: 'c1', problem_id: 'p', text: 'So.', ...at(51) },
  ],
  awards: [
    { id: 'winner', citation: 'Winner', team_ids: ['owls'] },
    { id: 'first-to-solve-p', citation: 'First', team_ids: ['owls'] },
  ],
}

const NOTHING = { num_judged: 0, num_pending: 0, solved: false }
const rowWithout = (team_id: string) => ({
  ...{ rank: 2, team_id, score: { num_solved: 0, total_time: '0:00:00.000' } },
  problems: [
    { problem_id: 'p', ...NOTHING },
    { problem_id: 'q', ...NOTHING },
  ],
})
export const SCOREBOARD: Item = {
  ...{ ...at(180), state: OBJECTS.state?.[0] },
  rows: [
    {
      ...{ rank: 1, team_id: 'owls' },
      score: { num_solved: 1, total_time: '1:00:00.000', time: '0:40:00.000' },
      problems: [
        { problem_id: 'p', num_judged: 2, num_pending: 0, solved: true, time: '0:40:00.000' },
        { problem_id: 'q', ...NOTHING },
      ],
    },
    rowWithout('larks'),
    rowWithout('zoos'),
  ],
}
