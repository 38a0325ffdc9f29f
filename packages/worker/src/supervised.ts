/**
 * The variables that `npm start -- --judge` gives to its worker besides `JUDGE_PASSWORD` and the
 * service's address, if they are set. No others reach it.
 */
export const SUPERVISED_VARIABLES: readonly string[] = [
  ...['PATH', 'TMPDIR', 'LOG_LEVEL', 'METRICS_HOST', 'WORKER_CONCURRENCY', 'WORKER_NAME'],
  ...['JUDGE_LANGUAGES_FILE', 'JUDGE_SANDBOX_PATHS', 'JUDGE_SANDBOX_FIRST_USER_ID', 'JUDGE_TEST_CACHE_MIB'],
  ...['COMPILE_CPU_SECONDS', 'COMPILE_WALL_SECONDS', 'COMPILE_MEMORY_MIB'],
  ...['COMPILE_FOLDER_MIB', 'COMPILE_FOLDER_FILES'],
]
