import { fileVariable } from '@judge-data-layer/runtime/secret-files'
import { closest, distance } from 'fastest-levenshtein'
import { environmentSchema } from './environment.ts'
import { secretNames } from './secret-names.ts'

const OURS = [...Object.keys(environmentSchema.properties), ...secretNames.map(fileVariable)]

/** Variables of the judge worker, which often shares the environment. */
const OF_THE_WORKER = [
  'METRICS_HOST',
  'JUDGE_API_URL',
  'JUDGE_SANDBOX_PATHS',
  'JUDGE_SANDBOX_FIRST_USER_ID',
  'JUDGE_TEST_CACHE_MIB',
]

/** Unknown names with these beginnings are mistakes; `DATABASE_` is common elsewhere. */
const OUR_PREFIX = /^(RATE_LIMIT|JUDGE|AMQP)_/

/** Shorter names, such as `HOST`, resemble too many others. */
const LEAST_COMPARED = 7

/** Warnings about variables that resemble ours, each with the name that was meant (D38). */
export function similarNameWarnings(variables: NodeJS.ProcessEnv): string[] {
  return Object.keys(variables).flatMap((name) => {
    const meant = findMeant(name)
    return meant === undefined
      ? []
      : [`${name} is no variable of this service and has no effect. Did you mean ${meant}?`]
  })
}

function findMeant(name: string): string | undefined {
  if (OURS.includes(name) || OF_THE_WORKER.includes(name)) return undefined
  const upper = name.toUpperCase()
  const meant = closest(upper, OURS)
  if (OUR_PREFIX.test(upper)) return meant
  const isSimilar = meant.length >= LEAST_COMPARED && distance(upper, meant) <= 2
  return isSimilar ? meant : undefined
}
