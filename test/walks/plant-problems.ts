import { unprepared } from '../../src/db/statement.ts'
import type { TestApp } from '../support/app.ts'
import type { ContestService } from '../support/contests.ts'
import type { Problem } from '../support/judging.ts'

/** Makes a mark of a name. */
export type Plant = (name: string) => string

/** The marks of a private problem, each with the name of the problem before it. */
const FIELDS = [
  ...['Title', 'Identifier', 'Prompt', 'Source', 'Input', 'Output', 'HiddenInput', 'HiddenOutput'],
  ...['ValidatorFlags', 'ValidatorFile', 'Validator', 'Group', 'InnerGroup'],
  ...['FileName', 'File', 'Program', 'ProgramName', 'Metadata', 'CaseHint', 'CaseDescription'],
]

/** The private problems: in no contest, hidden, not started yet, and in a running contest. */
export const PRIVATE_PROBLEMS = ['private', 'hidden', 'unbegun', 'open'] as const
export type PrivateProblem = (typeof PRIVATE_PROBLEMS)[number]

/** All marks of a hidden problem, and the titles of the other private ones. */
export const searchedMarks = (marks: ReadonlyMap<string, string>) =>
  [...FIELDS.map((field) => `hidden${field}`), 'privateTitle', 'unbegunTitle', 'openTitle'].map(
    (name) => marks.get(name) ?? '',
  )

/** Creates the private problems, with a mark in every field. */
export async function plantProblems({ createProblem, service }: ContestService, plant: Plant) {
  const create = async (problem: PrivateProblem) => {
    const planted = (field: string) => plant(`${problem}${field}`)
    const created = await createProblem({
      ...{ public: false, title: planted('Title'), identifier: planted('Identifier') },
      ...{ prompt: planted('Prompt'), source: planted('Source') },
      test_cases: [
        { input: planted('Input'), expected_output: planted('Output') },
        { input: planted('HiddenInput'), expected_output: planted('HiddenOutput'), hidden: true },
      ],
      ...plantOptions(planted),
    })
    await plantPackage(service, created, planted)
    return created
  }
  const [hidden, unbegun, open] = [await create('hidden'), await create('unbegun'), await create('open')]
  return { private: await create('private'), hidden, unbegun, open }
}

/** Plants a file for solvers, and a program, settings and notes on a test case for admins only. */
async function plantPackage({ database }: TestApp, { id, cases }: Problem, planted: Plant): Promise<void> {
  const addFile = async (folder: string, name: string, isPublic: boolean, content: string) =>
    database.query(insertFile, [id, `${folder}/${name}`, isPublic ? name : null, content])
  await addFile('attachments', planted('FileName'), true, planted('File'))
  await addFile('submissions/accepted', `${planted('ProgramName')}.py`, false, planted('Program'))
  const metadata = { format: '2025-09', type: ['pass-fail'], names: {}, keywords: [], limits: {} }
  const notes = { ...metadata, version: planted('Metadata'), prompt_language: 'en', input_flags: {} }
  await database.query(insertPackage, [id, JSON.stringify(notes)])
  await database.query(describeCase, [cases[1] ?? '', planted('CaseHint'), planted('CaseDescription')])
}

const insertFile = unprepared(`
  with file as (
    insert into problem_files (id, problem_id, path, name, bytes)
    values (gen_random_uuid(), $1::integer, $2::text, $3::text, octet_length($4::text))
    returning id
  )
  insert into problem_file_parts (file_id, number, content)
  select file.id, 0, convert_to($4::text, 'UTF8') from file`)

const insertPackage = unprepared('insert into problem_packages (problem_id, metadata) values ($1, $2::jsonb)')
const describeCase = unprepared('update test_cases set hint = $2, description = $3 where id = $1::uuid')

/** Plants the options for judging, which only judges and admins see (D41). */
function plantOptions(planted: Plant) {
  const files = [{ name: planted('ValidatorFile'), content: planted('Validator') }]
  const inner = { name: planted('InnerGroup'), points: 9, aggregation: 'min', cases: [1] }
  return {
    validation: { type: 'custom', flags: planted('ValidatorFlags'), language: 'Python', files },
    test_groups: [{ name: planted('Group'), points: 9, aggregation: 'sum', groups: [inner] }],
    ...{ run: 'all', limits: { output: 1 } },
  }
}
