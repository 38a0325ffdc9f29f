import type { Schemas } from '@judge-data-layer/client'
import { fold } from '@judge-data-layer/runtime/visible-text'
import type { ContestPerson, Person } from '../accounts/people-csv.ts'
import { count } from '../shared/text.ts'
import { type Comparison, type Findings, hasStarted, type Line, toLines } from './comparison.ts'

/** A person who becomes a participant, or whose settings change. */
interface Joining {
  readonly email: string
  readonly body: Schemas['ParticipantUpdateBody']
}

/** A person who joins a team. */
type TeamMember = Required<Pick<Person, 'name' | 'email' | 'team'>>

/** Differences of the people. */
export interface PeopleDifferences extends Findings {
  /** Accounts to create. */
  readonly accounts: readonly Person[]
  /** The addresses of those who join the participants or the staff with an account. */
  readonly known: readonly string[]
  /** Undefined: the staff stays as it is. */
  readonly staff: { readonly emails: readonly string[]; readonly keptIds: readonly string[] } | undefined
  readonly joining: readonly Joining[]
  /** Those who are on no team yet. */
  readonly teams: readonly TeamMember[]
  readonly leaving: readonly Schemas['Participant'][]
  /** Who loses how many extra minutes. */
  readonly warnings: readonly string[]
  readonly takesMinutes: boolean
}

/** Compares the participants, the staff and their accounts. */
export function comparePeople(comparison: Comparison): PeopleDifferences {
  const { wanted, service } = comparison
  const hasAccount = ({ email }: { readonly email: string }) => service.users.has(fold(email))
  const staffPeople = (wanted.staff ?? []).flatMap(({ person }) => person ?? [])
  const missing = [...(wanted.participants ?? []), ...staffPeople].filter((one) => !hasAccount(one))
  const accounts = [...new Map(missing.map((one) => [fold(one.email), one])).values()]
  const nameless = (wanted.staff ?? []).filter((one) => one.person === undefined && !hasAccount(one))
  const staff = compareStaff(comparison)
  const participants = (wanted.participants ?? []).map((one) => compareParticipant(one, comparison))
  const others = compareOthers(comparison)
  return {
    ...{ accounts, staff: staff.staff, leaving: others.leaving },
    known: [...new Set([...participants.flatMap(({ known }) => known ?? []), ...staff.known])],
    joining: participants.flatMap(({ joining }) => joining ?? []),
    teams: participants.flatMap(({ team }) => team ?? []),
    lines: [...participants.flatMap(({ lines }) => lines), ...staff.lines, ...others.lines],
    kept: [...staff.kept, ...others.kept],
    warnings: participants.flatMap(({ loss }) => loss ?? []),
    takesMinutes: participants.some(({ loss }) => loss !== undefined),
    refusals: [
      ...nameless.map(({ email }) => `staff: no account has the address ${email}. ${STAFF_ADVICE}`),
      ...findTakenNames(accounts, comparison),
      ...participants.flatMap(({ refusals }) => refusals),
    ],
  }
}

const STAFF_ADVICE =
  'Correct it, or write staff as the path of a CSV file with names, which creates the accounts.'

/** The service has each name once. */
function findTakenNames(accounts: readonly Person[], { service }: Comparison): string[] {
  const names = new Map([...service.users.values()].map((user) => [fold(user.name), user]))
  return accounts.flatMap(({ name, email }, i) => {
    const other = names.get(fold(name)) ?? accounts.slice(0, i).find((one) => fold(one.name) === fold(name))
    if (other === undefined) return []
    return `${email}: the name ${name} belongs to ${other.email}. Names must differ: add something to one of them, such as an initial.`
  })
}

interface OfParticipant extends Pick<Findings, 'lines' | 'refusals'> {
  readonly joining?: Joining
  readonly team?: TeamMember
  readonly known?: string
  readonly loss?: string
}

function compareParticipant(person: ContestPerson, comparison: Comparison): OfParticipant {
  const { service, contest, isForced } = comparison
  const { name, email, team, extraMinutes, hidden } = person
  const user = service.users.get(fold(email))
  const current = contest?.participants.find(({ id }) => id === user?.id)
  const label = `${name} <${email}>`
  const formerMinutes = current?.extra_minutes ?? 0
  const lost = formerMinutes - (extraMinutes ?? formerMinutes)
  const body = {
    ...(extraMinutes !== undefined && extraMinutes !== formerMinutes && { extra_minutes: extraMinutes }),
    ...(hidden !== undefined && hidden !== (current?.hidden ?? false) && { hidden }),
  }
  const formerTeam = user === undefined ? undefined : contest?.teams.get(user.id)
  const isOnOther = team !== undefined && formerTeam !== undefined && fold(team) !== fold(formerTeam)
  const refusals: string[] = []
  if (isOnOther)
    refusals.push(
      `${label} is on the team ${formerTeam}, and nobody can leave a team. Write ${formerTeam} into the column team.`,
    )
  if (lost > 0 && hasStarted(contest) && !isForced)
    refusals.push(
      `The contest has started, and ${label} has ${count(formerMinutes, 'extra minute')} at the service. Leave the cell empty to keep them; --force takes ${lost} away.`,
    )
  const joinsTeam = team !== undefined && formerTeam === undefined && { team: { name, email, team } }
  const notes = [
    ...(user === undefined ? ['new account'] : []),
    ...(joinsTeam ? [`team ${team}`] : []),
    ...Object.entries(body).map(([field, value]) => `${field} ${value}`),
  ].join(', ')
  if (current === undefined) {
    const text = `participant ${label}${notes === '' ? '' : ` (${notes})`}`
    // A participant is made by any setting.
    return {
      joining: { email, body: { hidden: hidden ?? false, ...body } },
      ...joinsTeam,
      ...(user !== undefined && { known: fold(email) }),
      refusals,
      lines: [{ sign: '+', text }],
    }
  }
  const lines: Line[] = notes === '' ? [] : [{ sign: '~', text: `participant ${label}: ${notes}` }]
  return {
    ...(Object.keys(body).length > 0 && { joining: { email, body } }),
    ...(lost > 0 && { loss: `${label} loses ${count(lost, 'extra minute')} of ${formerMinutes}` }),
    ...joinsTeam,
    refusals,
    lines,
  }
}

/** Participants who are not in a file that has participants; staff may take part as testers. */
function compareOthers(comparison: Comparison): Pick<PeopleDifferences, 'leaving' | 'lines' | 'kept'> {
  const { wanted, service, contest, isForced } = comparison
  if (wanted.participants === undefined || contest === undefined) return { leaving: [], lines: [], kept: [] }
  const known = [...wanted.participants, ...(wanted.staff ?? [])]
  const ids = new Set(known.map(({ email }) => service.users.get(fold(email))?.id))
  const others = contest.participants.filter(({ id }) => !ids.has(id))
  const label = ({ name, email }: Schemas['Participant']) => `participant ${name} <${email}>`
  if (!isForced) return { leaving: [], lines: [], kept: others.map((one) => describeKept(label(one))) }
  return { leaving: others, lines: toLines('-', others, label), kept: [] }
}

function compareStaff(comparison: Comparison): Findings & Pick<PeopleDifferences, 'staff' | 'known'> {
  const { service, contest, isForced } = comparison
  const { staff } = comparison.wanted
  if (staff === undefined) return { staff: undefined, known: [], lines: [], kept: [], refusals: [] }
  const byId = new Map([...service.users.values()].map((user) => [user.id, user]))
  const current = contest?.event.staff ?? []
  const emails = [...new Set(staff.map(({ email }) => fold(email)))]
  const ids = new Set(emails.map((email) => service.users.get(email)?.id))
  const added = emails.filter((email) => !current.includes(service.users.get(email)?.id ?? ''))
  // Accounts that were deleted have no person any more.
  const others = current.filter((id) => !ids.has(id) && byId.has(id))
  const label = (id: string) => `staff ${byId.get(id)?.name} <${byId.get(id)?.email}>`
  const keptIds = isForced ? [] : others
  const lines = [
    ...toLines('+', added, (email) => `staff ${email}${service.users.has(email) ? '' : ' (new account)'}`),
    ...toLines('-', isForced ? others : [], label),
  ]
  return {
    staff: lines.length === 0 ? undefined : { emails, keptIds },
    known: added.filter((email) => service.users.has(email)),
    lines,
    kept: keptIds.map((id) => describeKept(label(id))),
    refusals: [],
  }
}

const describeKept = (label: string) => `${label}: not in the file; --force removes`
