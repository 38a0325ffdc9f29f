import type { JudgeClient } from '@judge-data-layer/client'
import { JudgeApiError, NoResponseError } from '@judge-data-layer/client/errors'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { Connection } from '../shared/connection.tsx'
import { serviceNow, viewClock } from '../shared/contest-clock.ts'
import { useResource } from '../shared/poll.ts'
import { send } from '../shared/request.ts'
import { toggleTheme } from '../shared/theme.ts'
import { useNow } from '../shared/use-now.ts'
import type { ContestData, ContestEvent, OwnClock, Rights, ViewProps } from './contest-data.ts'
import { Notices, useNotices } from './notices.tsx'
import { ProblemList } from './problem-list.tsx'
import { ProblemPage } from './problem-page.tsx'
import { QuestionsView } from './questions-view.tsx'
import type { Session } from './session.ts'
import { StandingsView } from './standings-view.tsx'
import { SubmissionList } from './submission-list.tsx'
import { useContest } from './use-contest.ts'

interface SignedInProps {
  readonly client: JudgeClient
  readonly eventId: number
  readonly session: Session
  readonly onSignOut: (reason?: string) => void
}

const TABS = {
  problems: 'Problems',
  submissions: 'Submissions',
  questions: 'Questions',
  standings: 'Standings',
}

/** The contest of somebody who is logged in. */
export function SignedIn({ client, eventId, session, onSignOut }: SignedInProps) {
  const data = useContest({ client, eventId, userId: session.id, onSignOut })
  const rights = useRights(eventId, session, data.event.data)
  const notices = useNotices(data, session.id)
  const view = useHash() || 'problems'
  const title = data.event.data?.title ?? 'Contest'
  useEffect(() => {
    document.title = title
  }, [title])
  const [tab = '', number] = view.split('/')
  return (
    <>
      <ContestHeader {...{ data, session, title }} onSignOut={() => onSignOut()} />
      <Trouble data={data} />
      <Notices {...notices} />
      {!isClosed(data) && (
        <>
          <Tabs present={tab} />
          <main>
            <View {...{ client, eventId, session, data, rights, tab, number }} />
          </main>
        </>
      )}
    </>
  )
}

/** The contest cannot be read: there is nothing to show of it. */
const isClosed = ({ event }: ContestData) =>
  event.data === undefined && event.failure instanceof JudgeApiError

function Tabs({ present }: { readonly present: string }) {
  return (
    <nav aria-label="Contest">
      {Object.entries(TABS).map(([name, text]) => (
        <a key={name} href={`#${name}`} aria-current={name === present ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  )
}

interface TabProps extends ViewProps {
  readonly tab: string
  readonly number: string | undefined
}

function View({ tab, number, ...shared }: TabProps) {
  const drafts = useRef(new Map<number, string>())
  if (tab === 'submissions') return <SubmissionList {...shared} />
  if (tab === 'questions') return <QuestionsView {...shared} />
  if (tab === 'standings') return <StandingsView {...shared} />
  const problem = shared.data.problems.data?.find(({ id }) => String(id) === number)
  if (problem === undefined) return <ProblemList {...shared} />
  return <ProblemPage key={problem.id} {...{ ...shared, problem, drafts: drafts.current }} />
}

/** Tells that the service is lost, or why the contest cannot be read. */
function Trouble({ data }: { readonly data: ContestData }) {
  const resources = Object.values(data)
  const lost = resources.find(({ failure }) => failure instanceof NoResponseError)
  if (lost !== undefined) {
    const respondedMs = Math.max(...resources.map((resource) => resource.respondedMs))
    return <Connection failure={lost.failure} respondedMs={respondedMs} />
  }
  const { failure } = data.event.data === undefined ? data.event : data.problems
  if (!(failure instanceof JudgeApiError)) return null
  const text =
    failure.status === 404 ? 'There is no such contest, or it is not open to you.' : failure.message
  return (
    <p class="banner lost" role="alert">
      {text}
    </p>
  )
}

/** The fragment of the address without its `#`. */
function useHash(): string {
  const [hash, setHash] = useState(location.hash.slice(1))
  useEffect(() => {
    const follow = () => setHash(location.hash.slice(1))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return hash
}

interface ContestHeaderProps extends Pick<ViewProps, 'data' | 'session'> {
  readonly title: string
  readonly onSignOut: () => void
}

function ContestHeader({ data, session, title, onSignOut }: ContestHeaderProps) {
  const clock = data.clock.data
  return (
    <header class="bar">
      <h1>{title}</h1>
      {clock && <Clock clock={clock} />}
      <p class="account">
        <span class="account-name">{session.name}</span>
        <button type="button" onClick={toggleTheme} aria-label="Change between light and dark">
          ◐
        </button>
        <button type="button" onClick={onSignOut}>
          Sign out
        </button>
      </p>
    </header>
  )
}

function Clock({ clock: { times, serviceTime } }: { readonly clock: OwnClock }) {
  const nowMs = useNow(250)
  const { label, time } = viewClock(times, serviceNow(serviceTime, nowMs), times.own_end_time)
  return (
    <p class="clock" role="timer">
      <span class="clock-label">{label}</span> {time && <span class="clock-time">{time}</span>}
    </p>
  )
}

/** Undefined until it is known. Who takes part may ask: only for others a request is sent. */
function useRights(
  eventId: number,
  { id: userId, token }: Session,
  event: ContestEvent | undefined,
): Rights | undefined {
  const takesPart = event?.participants.some(({ id }) => id === userId)
  const read = useCallback(async (): Promise<{ readonly capabilities: readonly string[] }> => {
    // The client has no types of the Contest API's access.
    const path = `/v1/clics/contests/${eventId}/access`
    return (await send(path, { headers: { Authorization: token } })).json()
  }, [eventId, token])
  const { data: access } = useResource(takesPart === false ? read : undefined)
  if (takesPart === true) return { takesPart, isStaff: isNamed(event, userId), mayAsk: true }
  if (access === undefined) return undefined
  const { capabilities } = access
  return {
    takesPart: false,
    isStaff: capabilities.includes('admin_clar'),
    mayAsk: capabilities.includes('post_clar'),
  }
}

const isNamed = (event: ContestEvent | undefined, userId: string) =>
  event?.user_id === userId || event?.staff?.includes(userId) === true
