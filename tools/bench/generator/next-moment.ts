/** The next planned moment, `everyMs` after the last one, also if it has passed. */
export const nextMoment = (dueMs: number, everyMs: number): number => dueMs + everyMs

/** The first planned moment that has not passed at `nowMs`. */
export const nextMomentAfter = (dueMs: number, everyMs: number, nowMs: number): number =>
  dueMs + everyMs * Math.max(1, Math.ceil((nowMs - dueMs) / everyMs))
