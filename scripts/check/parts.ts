import { AMQP_URL, DATABASE_URL, type Need } from './needs.ts'

/** The levels above `npm test`. The second contains the first. */
type Level = '.ci/run' | 'npm run check'

/** A part of a level. */
export interface Part {
  readonly name: string
  /** The smallest level that runs it. */
  readonly level: Level
  readonly command: readonly string[]
  readonly variables?: Readonly<Record<string, string>>
  readonly needs?: readonly Need[]
  /** Neighbours with the same word run beside each other, two at once. */
  readonly beside?: string
  /** It runs tests of Vitest, which are counted. */
  readonly hasTests?: boolean
  /** It fails if it used more CPU time, as a quiet machine would count it. */
  readonly maxCpuSeconds?: number
}

/** With these no test is skipped. */
const onServers = {
  ...{ TEST_DATABASE_URL: DATABASE_URL, TEST_AMQP_URL: AMQP_URL },
  ...{ TEST_REQUIRE_ALL: '1', SANDBOX_REQUIRED: '1', TEST_MODELS: 'all' },
}
const needsOfServers: readonly Need[] = ['postgres', 'rabbitmq', 'bubblewrap', 'chromium']
const needsOfFaults: readonly Need[] = ['programs of PostgreSQL', 'programs of RabbitMQ', 'bubblewrap']

/** One after another would leave a core idle; with three at once they took longer. */
const besideTests = { level: '.ci/run', beside: 'tests' } as const

const besideMutants = { level: 'npm run check', beside: 'mutants' } as const

/** The tests of some projects, on PostgreSQL and RabbitMQ. */
const suite = (name: string, projects: readonly string[], needs: readonly Need[] = []) => ({
  name,
  command: ['npx', 'vitest', 'run', ...projects.flatMap((project) => ['--project', project])],
  variables: onServers,
  needs: [...needsOfServers, ...needs],
  hasTests: true,
})

const faults = (...options: readonly string[]) => [
  'npm',
  'run',
  'faults',
  '--',
  '--short',
  '--seed',
  '1',
  ...options,
]

const fuzz = (seconds: number) => ['npm', 'run', 'fuzz', '--', '--seconds', `${seconds}`, '--seed', '1']

/** The tests of what another version of Node.js may break. */
const onNode = (version: string): Part => ({
  name: `node-${version}`,
  ...besideMutants,
  command: [
    ...['scripts/on-node.sh', version, 'npx', 'vitest', 'run', 'test/features/people/accounts'],
    ...['test/features/judging/submissions', 'test/processes/pglite', 'test/processes/start'],
    ...['judge', 'launcher', 'sandbox'].map((name) => `packages/worker/test/sandbox/${name}.test.ts`),
  ],
  variables: { SANDBOX_REQUIRED: '1' },
  needs: ['bubblewrap'],
  hasTests: true,
})

/** All tests of the service and of the models, on a newer PostgreSQL. */
function onPostgres(name: string, version: string, projects: readonly string[]): Part {
  const part = suite(name, projects)
  const command = ['npx', 'tsx', 'scripts/on-postgres.ts', version, ...part.command]
  return { ...part, ...besideMutants, command }
}

/** In the order in which they run. */
const parts: readonly Part[] = [
  { name: 'lint', level: '.ci/run', command: ['npm', 'run', 'lint'], beside: 'source' },
  { name: 'types', level: '.ci/run', command: ['npm', 'run', 'typecheck'], beside: 'source' },
  // It takes all CPUs: beside the judging of other parts, right programs would be too slow.
  { ...suite('busy', ['busy']), level: '.ci/run', beside: 'source' },
  { name: 'npm-test', level: '.ci/run', command: ['npm', 'test'], hasTests: true, maxCpuSeconds: 300 },
  // The longest first.
  { ...suite('walks', ['walks', 'processes']), ...besideTests },
  { ...suite('judging', ['judging']), ...besideTests, variables: { ...onServers, PACKAGE_ROUNDS: '1' } },
  { ...suite('packages', ['packages', 'sandbox', 'problems', 'tools']), ...besideTests },
  { ...suite('service', ['service', 'models']), ...besideTests },
  { ...suite('clients', ['clients', 'cli']), ...besideTests },
  { ...suite('hostile', ['hostile']), ...besideTests },
  {
    ...{ name: 'demo', ...besideTests, command: ['npm', 'run', 'demo', '--', '--once'] },
    variables: { PORT: '0' },
  },
  {
    ...{ name: 'three-faults', ...besideTests, needs: needsOfFaults },
    command: faults(
      ...['service killed', 'worker killed in a test', 'PostgreSQL stopped immediate'].flatMap((name) => [
        '--scenario',
        name,
      ]),
    ),
  },
  {
    ...{ name: 'fuzz', ...besideTests, command: fuzz(20) },
    variables: { FUZZ_DATABASE_URL: DATABASE_URL, FUZZ_AMQP_URL: AMQP_URL },
    needs: ['postgres', 'rabbitmq'],
  },
  { name: 'all-faults', level: 'npm run check', command: faults(), needs: needsOfFaults },
  {
    ...{ name: 'cluster', level: 'npm run check' },
    command: ['npm', 'run', 'cluster-faults', '--', '--short', '--seed', '1', '--scenario', 'switchover'],
    needs: ['root', ...needsOfFaults, 'programs of the cluster'],
  },
  {
    ...{ name: 'mutants', ...besideMutants, needs: ['bubblewrap'] },
    command: ['npm', 'run', 'mutants'],
  },
  {
    ...{ ...suite('contest', ['contest']), ...besideMutants },
    // On the embedded database, as in docs/run-a-contest.md.
    variables: { SANDBOX_REQUIRED: '1' },
    needs: ['bubblewrap'],
  },
  { ...suite('deploy', ['deploy', 'release'], ['root', 'programs of deploy']), ...besideMutants },
  {
    ...{ name: 'as-other-user', ...besideMutants },
    command: ['packages/worker/test/hostile/as-other-user.sh', '1'],
    needs: ['root', 'bubblewrap'],
  },
  onPostgres('postgres-18', '18.4.0-beta.17', ['service', 'models']),
  onNode('22'),
  onNode('24'),
  {
    ...{ name: 'busy-machine', level: 'npm run check' },
    command: ['npx', 'tsx', 'scripts/check/busy-machine.ts'],
    variables: onServers,
    needs: needsOfServers,
  },
]

/** What `npm run check` runs in place of a short form. */
const longForms: Readonly<Record<string, Partial<Part>>> = {
  // Without PACKAGE_ROUNDS programs are judged three times.
  judging: { variables: onServers },
  fuzz: { command: fuzz(300) },
}

/** The parts of a level. All faults include the three of the smaller level. */
export function partsOf(level: Level): readonly Part[] {
  if (level === '.ci/run') return parts.filter((part) => part.level === level)
  return parts
    .filter(({ name }) => name !== 'three-faults')
    .map((part) => ({ ...part, ...longForms[part.name] }))
}
