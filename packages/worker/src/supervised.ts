import { readCgroupPlaces } from './sandbox/cgroup-mounts.ts'
import { hasControllers, openProgramsGroup } from './sandbox/programs-group.ts'

/**
 * The variables that `npm start -- --judge` gives to its worker besides `JUDGE_PASSWORD` and the
 * service's address, if they are set. No others reach it.
 */
export const SUPERVISED_VARIABLES: readonly string[] = [
  ...['PATH', 'TMPDIR', 'LOG_LEVEL', 'METRICS_HOST', 'WORKER_CONCURRENCY', 'WORKER_NAME'],
  'WORKER_VERDICTS',
  ...['JUDGE_LANGUAGES_FILE', 'JUDGE_SANDBOX_PATHS', 'JUDGE_SANDBOX_FIRST_USER_ID', 'JUDGE_TEST_CACHE_MIB'],
  ...['COMPILE_CPU_SECONDS', 'COMPILE_WALL_SECONDS', 'COMPILE_MEMORY_MIB'],
  ...['COMPILE_FOLDER_MIB', 'COMPILE_FOLDER_FILES'],
]

/**
 * Moves this process, the parent, to the control group in which its later children start too: a
 * group with limits for programs may have no other processes (version 2). Throws if it cannot; the
 * worker then says what to do.
 */
export async function leaveProgramsGroup(): Promise<void> {
  const own = (await readCgroupPlaces()).get('unified')
  if (own !== undefined && (await hasControllers(own))) await openProgramsGroup(own)
}
