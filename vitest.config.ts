import { defineConfig } from 'vitest/config'
import { TEST_LIMIT_MS, WAIT_LIMIT_MS } from './test/support/limits.ts'

/** Folders of `test` whose files do not belong to the project `service`. */
const OTHERS = [
  ...['busy', 'clients', 'contest-day', 'judged-problems', 'models', 'problem-packages'],
  ...['processes', 'walks'],
]
const MODELS = ['test/models/*.test.ts']

/**
 * With all random cases the models are a project of their own. A quarter of them runs in `service`,
 * without the start of more workers.
 */
const hasAllCases = process.env.TEST_MODELS === 'all'

/** These use a database. */
const withDatabase = { globalSetup: ['test/setup/package-process.ts', 'test/setup/template.ts'] }
/** These start processes or pages from the build. */
const withBuild = { globalSetup: ['test/setup/build.ts', ...withDatabase.globalSetup] }
/** A file gets a new process: the one before may have left processes, groups and folders. */
const apart = { ...withBuild, isolate: true }

/**
 * Each project has one home: `npm test`, `.ci/run` or `npm run check` (CONTRIBUTING.md). No project
 * may set `exclude`: it would replace the `--exclude` options of the command line.
 */
const projects = [
  // npm test
  {
    name: 'service',
    include: ['test/*.test.ts', `test/!(${OTHERS.join('|')})/**/*.test.ts`, ...(hasAllCases ? [] : MODELS)],
    ...withDatabase,
  },
  // .ci/run
  { name: 'models', include: hasAllCases ? MODELS : [], ...withDatabase },
  {
    name: 'packages',
    include: ['packages/{client,languages,pages,runtime,worker}/test/*.test.ts'],
    ...withDatabase,
  },
  { name: 'walks', include: ['test/walks/*.test.ts'], ...withDatabase },
  {
    name: 'problems',
    include: ['{packages/problem-format/test,test/problem-packages}/*.test.ts'],
    ...withDatabase,
  },
  { name: 'processes', include: ['{test,packages/*/test}/processes/*.test.ts'], ...apart },
  { name: 'sandbox', include: ['packages/worker/test/sandbox/*.test.ts'], ...apart },
  { name: 'clients', include: ['test/clients/*.test.ts'], ...withBuild },
  { name: 'cli', include: ['packages/cli/test/*.test.ts'], ...withBuild },
  { name: 'tools', include: ['tools/!(release)/test/**/*.test.ts'], ...withBuild },
  { name: 'judging', include: ['test/judged-problems/*.test.ts'], ...apart },
  {
    name: 'hostile',
    include: ['packages/worker/test/hostile/*.test.ts'],
    ...apart,
    // No database: another user cannot read its template.
    globalSetup: ['test/setup/build.ts'],
  },
  {
    name: 'busy',
    include: ['{test,packages/worker/test}/busy/*.test.ts'],
    ...apart,
    // They take all CPUs: they run after the other tests of a run, one after another.
    fileParallelism: false,
    sequence: { groupOrder: 1 },
  },
  // npm run check
  { name: 'deploy', include: ['deploy/test/*.test.ts'], ...apart },
  { name: 'release', include: ['tools/release/test/*.test.ts'], ...withBuild },
  { name: 'contest', include: ['test/contest-day/*.test.ts'], ...apart },
]

const shared = {
  pool: 'forks' as const,
  // Two cores. With a server of its own for the database a worker often waits.
  maxWorkers: process.env.TEST_DATABASE_URL ? 3 : 2,
  // A worker keeps its modules and its database for its next file.
  isolate: false,
  testTimeout: TEST_LIMIT_MS,
  hookTimeout: TEST_LIMIT_MS,
  expect: { poll: { timeout: WAIT_LIMIT_MS, interval: 20 } },
  setupFiles: ['test/setup/property-seed.ts', 'test/setup/cpu-time.ts'],
  experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/judge-data-layer/modules' },
}

/** `TEST_REPORT` is the file for a report of the tests as JSON. */
const { TEST_REPORT: outputFile } = process.env
const report: ['json', { outputFile: string }][] = outputFile ? [['json', { outputFile }]] : []

export default defineConfig({
  test: {
    globalSetup: ['test/setup/announce.ts'],
    reporters: ['default', './test/setup/cost-reporter.ts', ...report],
    projects: projects.map((project) => ({
      resolve: { conditions: ['source'] },
      ssr: { resolve: { conditions: ['source', 'node'] } },
      test: { ...shared, ...project },
    })),
  },
})
