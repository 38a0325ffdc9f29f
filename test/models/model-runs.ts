/**
 * How many random cases a model checks: a quarter of all of them, so that `npm test` stays short,
 * and all with `TEST_MODELS=all`.
 */
export const modelRuns = (all: number): number =>
  process.env.TEST_MODELS === 'all' ? all : Math.ceil(all / 4)
