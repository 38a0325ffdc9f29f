import { defineConfig } from 'vitest/config'

/** Folders of `test` with a project of their own. */
const OTHERS = ['busy', 'clients', 'contest-day', 'judged-problems', 'problem-format', 'problem-packages']

/**
 * Files of the service's tests share their worker's modules and database. No project may set
 * `exclude`: it would replace the `--exclude` options of the command line.
 */
const projects = [
  {
    name: 'service',
    include: ['test/*.test.ts', `test/!(${OTHERS.join('|')})/**/*.test.ts`],
    isolate: false,
  },
  { name: 'clients', include: ['test/clients/*.test.ts'], isolate: false },
  { name: 'problems', include: ['test/problem-{format,packages}/*.test.ts'], isolate: false },
  {
    name: 'packages',
    include: ['packages/{client,languages,pages,process,worker}/test/*.test.ts'],
    isolate: true,
  },
  { name: 'cli', include: ['packages/cli/test/*.test.ts'], isolate: true },
  { name: 'hostile', include: ['packages/worker/test/hostile/*.test.ts'], isolate: true },
  {
    name: 'busy',
    include: ['test/busy/*.test.ts', 'packages/worker/test/busy/*.test.ts'],
    // They take all CPUs: they run after the other tests, one after another.
    fileParallelism: false,
    sequence: { groupOrder: 1 },
  },
  { name: 'judging', include: ['test/judged-problems/*.test.ts'], isolate: true },
  { name: 'contest', include: ['test/contest-day/*.test.ts'], isolate: true },
  { name: 'tools', include: ['tools/*/test/**/*.test.ts'], isolate: true },
  { name: 'deploy', include: ['deploy/test/*.test.ts'], isolate: true },
]

// Three workers on two cores: a third of the time is spent waiting for time limits and processes.
// The time limits only end tests that hang, also on a busy machine.
const shared = {
  pool: 'forks' as const,
  maxWorkers: 3,
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 300_000, interval: 20 } },
  setupFiles: ['test/setup/property-seed.ts', 'test/setup/cpu-time.ts'],
  globalSetup: ['test/setup/build.ts', 'test/setup/template.ts'],
}

export default defineConfig({
  test: {
    globalSetup: ['test/setup/announce.ts'],
    reporters: ['default', './test/setup/cost-reporter.ts'],
    projects: projects.map((project) => ({
      resolve: { conditions: ['source'] },
      ssr: { resolve: { conditions: ['source', 'node'] } },
      test: { ...shared, ...project },
    })),
  },
})
