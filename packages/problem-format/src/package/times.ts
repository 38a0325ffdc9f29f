/** The most CPU seconds of a test case: a day. The real time is at most a day too. */
export const MOST_TIME_LIMIT_SECONDS = 86_400

/** The wall-clock time for a CPU time, both in seconds. */
export const wallTimeOf = (cpuSeconds: number) => Math.min(2 * cpuSeconds + 1, MOST_TIME_LIMIT_SECONDS)
