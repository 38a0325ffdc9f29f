/** The statuses of a verdict, for submissions and custom-input runs (D23). */
const USUAL = [
  'ACCEPTED',
  'WRONG_ANSWER',
  'PRESENTATION_ERROR',
  'TIME_LIMIT_EXCEEDED',
  'MEMORY_LIMIT_EXCEEDED',
  'OUTPUT_LIMIT_EXCEEDED',
  'RUNTIME_ERROR',
  'COMPILE_TIME_ERROR',
  'INTERNAL_ERROR',
]

/** Finer statuses that a verdict can have as its reason, each with its status (D23). */
export const STATUS_OF_REASON: Readonly<Record<string, string>> = {
  PRESENTATION_ERROR: 'WRONG_ANSWER',
  OUTPUT_LIMIT_EXCEEDED: 'RUNTIME_ERROR',
}

/** The usual statuses and the configured ones. PENDING is not the status of a verdict (D23). */
export function verdictStatuses(extraStatuses: readonly string[]): string[] {
  return [...new Set([...USUAL, ...extraStatuses])].filter((status) => status !== 'PENDING')
}
