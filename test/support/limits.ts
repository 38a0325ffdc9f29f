/** `TEST_LIMIT_MS` is for runs in which tests are expected to hang. */
const { TEST_LIMIT_MS: limit = '600000' } = process.env

/** Limits of a test and of one wait, in ms. They only end what hangs, also on a busy machine. */
export const TEST_LIMIT_MS = Number(limit)
export const WAIT_LIMIT_MS = TEST_LIMIT_MS / 2
