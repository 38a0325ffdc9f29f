/** The statuses that this worker gives (D23). */
export type Status =
  | 'ACCEPTED'
  | 'WRONG_ANSWER'
  | 'PRESENTATION_ERROR'
  | 'TIME_LIMIT_EXCEEDED'
  | 'MEMORY_LIMIT_EXCEEDED'
  | 'OUTPUT_LIMIT_EXCEEDED'
  | 'RUNTIME_ERROR'
  | 'COMPILE_TIME_ERROR'
  | 'INTERNAL_ERROR'
