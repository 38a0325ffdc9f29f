import { defineConfig } from 'vitest/config'

/** Files of the service's tests share their worker's modules and its database (test/support/database.ts). */
const projects = [
  { name: 'service', include: ['test/**/*.test.ts'], isolate: false },
  { name: 'packages', include: ['packages/*/test/**/*.test.ts'], isolate: true },
  { name: 'tools', include: ['tools/*/test/**/*.test.ts'], isolate: true },
]

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source', 'node'] } },
  test: {
    globalSetup: ['test/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: projects.map((test) => ({ extends: true, test: { ...test, globalSetup: [] } })),
  },
})
