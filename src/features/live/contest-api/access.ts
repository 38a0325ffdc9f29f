import type { Static } from 'typebox'
import type { ObjectType } from './collection.ts'
import type { ContestView } from './contest-sql.ts'
import { type Access, objectSchemas } from './schemas.ts'

/** Types whose objects the caller never sees; the others are for everybody. */
const TYPE_RULES: Partial<Record<ObjectType, (view: ContestView) => boolean>> = {
  // A judge has no account.
  accounts: ({ has_token, role }) => has_token && role !== 1,
  submissions: ({ shows_results }) => shows_results,
  judgements: ({ shows_results }) => shows_results,
  runs: ({ role }) => role > 0,
  clarifications: ({ is_open }) => is_open,
  awards: ({ shows_results }) => shows_results,
}

type Properties<T extends ObjectType> = keyof (typeof objectSchemas)[T]['properties']

const isOfContest = ({ is_staff, takes_part }: ContestView) => is_staff || takes_part

/** Properties that not every caller sees who sees the type. */
const PROPERTY_RULES: {
  readonly [T in ObjectType]?: { readonly [P in Properties<T>]?: (view: ContestView) => boolean }
} = {
  problems: { max_score: ({ has_points }) => has_points, package: ({ role }) => role === 2 },
  persons: { email: isOfContest },
  accounts: { team_id: isOfContest, person_id: isOfContest },
  submissions: {
    account_id: isOfContest,
    files: ({ is_jury, takes_part }) => is_jury || takes_part,
  },
  judgements: { score: ({ has_points }) => has_points },
}

/** What the caller may do and see in a contest, now or later (Contest API, Access). */
export function accessOf(view: ContestView): Static<typeof Access> {
  const staff = ['contest_start', 'contest_thaw', 'admin_clar'] as const
  // Staff asks only as a team; otherwise it announces.
  const asks = view.role !== 1 && view.is_open && (!view.is_staff || view.takes_part)
  const types = Object.keys(objectSchemas) as ObjectType[]
  return {
    capabilities: [
      ...(view.is_staff ? staff : []),
      ...(view.may_submit ? (['team_submit'] as const) : []),
      ...(asks ? (['post_clar'] as const) : []),
    ],
    endpoints: types
      .filter((type) => TYPE_RULES[type]?.(view) ?? true)
      .map((type) => ({ type, properties: propertiesOf(type, view) })),
  }
}

function propertiesOf(type: ObjectType, view: ContestView): string[] {
  const rules: Readonly<Record<string, ((view: ContestView) => boolean) | undefined>> =
    PROPERTY_RULES[type] ?? {}
  return Object.keys(objectSchemas[type].properties).filter((name) => rules[name]?.(view) ?? true)
}
