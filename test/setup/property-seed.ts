import fc from 'fast-check'

/** Property tests check the same cases in each run; `PROPERTY_SEED` chooses others. */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) })
