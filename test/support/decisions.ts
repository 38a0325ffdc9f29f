import { unprepared } from '../../src/db/statement.ts'
import type { TestApp } from './app.ts'
import type { Caller } from './caller.ts'

const DECISIONS = '/v1/rejudgings'

export const decisionUrl = (id: string, ending = '') => `${DECISIONS}/${id}${ending}`

const selectShadows = unprepared<{ shadow: string; submission: string }>(
  `select shadow_judging_id::text as shadow, submission_id::text as submission
   from rejudging_items where decision_id = $1 order by submission_id`,
)

/** Short ways to request a rejudging and to judge its shadow judgings. */
export function decisionsOf({ service, admin }: { service: Pick<TestApp, 'database'>; admin: Caller }) {
  const shadowsOf = async (id: string) => {
    const rows = await service.database.query(selectShadows, [id])
    return new Map(rows.map(({ shadow, submission }) => [submission, shadow]))
  }
  return {
    shadowsOf,
    async request(body: object, caller: Caller = admin): Promise<string> {
      return (await caller.post(DECISIONS, body, 202)).id
    },
    /** Gives each shadow judging the verdict for its submission, or the same one. */
    async judgeAll(id: string, verdicts: ReadonlyMap<string, string | object> | string): Promise<void> {
      for (const [submission, shadow] of await shadowsOf(id)) {
        const verdict = typeof verdicts === 'string' ? verdicts : verdicts.get(submission)
        const body = typeof verdict === 'string' ? { status: verdict } : verdict
        // Admins lack no capability.
        if (body !== undefined) await admin.patch(`/v1/submissions/${shadow}`, body, 204)
      }
    },
  }
}
