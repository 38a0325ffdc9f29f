import type { Config } from '../../../config/config.ts'
import { listClarifications } from './clarifications-sql.ts'
import type { Collection, ObjectType } from './collection.ts'
import { contest, state } from './contest-sql.ts'
import { groups, organizations } from './groups-sql.ts'
import { defineJudgementTypes } from './judgement-types.ts'
import { listJudgements } from './judgements-sql.ts'
import { languages } from './languages-sql.ts'
import { listAccounts, listPersons } from './persons-sql.ts'
import { defineProblems } from './problems-sql.ts'
import { listRuns } from './runs-sql.ts'
import { listSubmissions } from './submissions-sql.ts'
import { listTeams } from './teams-sql.ts'

/** All but the awards, which are made of the standings. */
export type Collections = Readonly<Record<Exclude<ObjectType, 'awards'>, Collection>>

/** The collections of the Contest API; objects refer only to types before their own. */
export function createCollections({
  extraStatuses,
  sizes,
}: Pick<Config, 'extraStatuses' | 'sizes'>): Collections {
  return {
    contest,
    'judgement-types': defineJudgementTypes(extraStatuses),
    languages,
    problems: defineProblems(sizes.sourceCodeBytes),
    groups,
    organizations,
    teams: listTeams,
    persons: listPersons,
    accounts: listAccounts,
    state,
    submissions: listSubmissions,
    judgements: listJudgements,
    runs: listRuns,
    clarifications: listClarifications,
  }
}
