import fc from 'fast-check'

/**
 * Property tests check the same cases in each run; set `PROPERTY_SEED` to another integer for others.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) })
