import { expect, it, onTestFinished } from 'vitest'
import { statement } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openTestDatabase } from '../support/database.ts'
import { MIGRATIONS, migrateAsBefore } from '../support/old-schema.ts'

const LAST_OF_OLD_RELEASE = 7

const AUTHOR = '00000000-0000-4000-8000-000000000001'
const WORLD = `
  insert into users (id, name, email) values ('${AUTHOR}', 'one', 'one@example.org');
  insert into problems (user_id, title, identifier, prompt, source, difficulty, public, accept_timeout, execution_timeout, memory_limit)
  select '${AUTHOR}', 'Sum', 'sum', 'Add.', '', 'EASY', true, 1, 1, 256 from generate_series(1, 2);
  insert into test_cases (id, problem_id, position, input, expected_output, hidden)
  values (gen_random_uuid(), 1, 1, 'ä', '12', false), (gen_random_uuid(), 1, 2, '345', repeat('x', 100000), true);`

const readVersions = statement<{ id: number; bytes: number; version: string }>(
  '',
  `select problems.id, problems.tests_bytes::integer as bytes, problems.tests_version::text as version
   from problems order by problems.id`,
)

it('the tests of problems from before get a version each, and their size', async () => {
  const { database, close } = await openTestDatabase()
  onTestFinished(close)
  await migrateAsBefore(database, LAST_OF_OLD_RELEASE)
  await database.transaction((tx) => tx.execute(WORLD))
  expect(await migrate(database)).toEqual(MIGRATIONS.filter((number) => number > LAST_OF_OLD_RELEASE))
  const rows = await database.query(readVersions)
  expect(rows).toMatchObject([
    { id: 1, bytes: 100_007 },
    { id: 2, bytes: 0 },
  ])
  expect(rows[0]?.version).not.toBe(rows[1]?.version)
})
