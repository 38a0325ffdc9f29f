import { describe, expect, it, vi } from 'vitest'
import { type Statement, statement, type Value } from '../../src/db/database.ts'
import { countUnread, listNotifications, markRead } from '../../src/features/notifications/sql.ts'
import { type Person, WEB_BRIDGE_SECRET } from '../support/app.ts'
import { databaseKind } from '../support/database.ts'
import { openPeople } from './people-support.ts'

const PARTICIPANTS = 5_000
const QUESTIONS = 20
const NOTIFICATIONS = PARTICIPANTS * QUESTIONS

const fillParticipants = statement(
  'fill_participants',
  `with made as (
     insert into users (id, name, email)
     select gen_random_uuid(), 'Participant ' || n, n || '@participants.example.org'
     from generate_series(1, $2::integer) as number (n)
     returning users.id
   )
   insert into event_participants (event_id, user_id) select $1::integer, made.id from made`,
)

const countByQuestion = statement<{ notified: number; users: number; authors: number }>(
  'count_by_question',
  `select count(*)::integer as notified, count(distinct notifications.user_id)::integer as users,
          count(*) filter (where notifications.user_id = $2::uuid)::integer as authors
   from notifications
   where notifications.question_id = $1::uuid`,
)

const ask = async (by: Person) => {
  const asked = await people.post(by, `/v1/events/${event}/questions`, { question: 'Why?' })
  expect(asked.status, asked.text).toBe(201)
  return asked.body
}

/** A participant with a provider's id: deleting that one locks the row against the foreign keys of notifications. */
async function createWithProvider(round: number): Promise<Person> {
  const profile = {
    id: `provider|${round}`,
    name: `Goes ${round}`,
    email: `${round}@goes.example.org`,
    image: '',
  }
  const url = '/v1/create_or_login_user'
  const { status, body } = await people.service.send({
    method: 'POST',
    url,
    token: WEB_BRIDGE_SECRET,
    body: profile,
  })
  expect(status).toBe(200)
  const person: Person = { ...profile, id: body.id, token: body.token }
  await people.register(person, event)
  return person
}

const people = await openPeople()
const event = await people.createEvent()
const author = await people.createParticipant(event)
await people.service.database.query(fillParticipants, [event, PARTICIPANTS])

describe(`with ${PARTICIPANTS} participants`, () => {
  it('a question and the notifications of all others are one statement (D37) [Event: question notifies]', async () => {
    const query = vi.spyOn(people.service.database, 'query')
    const { id } = await ask(author)
    expect(query.mock.calls.map(([{ name }]) => name)).toEqual(['ask_question'])
    query.mockRestore()
    expect(await people.service.database.query(countByQuestion, [id, author.id])).toEqual([
      { notified: PARTICIPANTS, users: PARTICIPANTS, authors: 0 },
    ])
  })

  it('questions, answers, deletions and readings at the same instant all end well, and each reader is told of each question', async () => {
    const readers = [await people.createParticipant(event), await people.createParticipant(event)]
    const rounds = databaseKind === 'postgres' ? 4 : 1
    for (let round = 0; round < rounds; round += 1) {
      const { id } = await ask(people.user)
      const gone = await createWithProvider(round)
      const read = (reader: Person) => people.put(reader, '/v1/user/notifications/mark-read')
      const answers = await Promise.all([
        people.post(author, `/v1/events/${event}/questions`, { question: 'At once?' }),
        people.post(people.user, `/v1/events/${event}/questions`, { question: 'At once?' }),
        ...[...readers, ...readers].map(read),
        people.put(people.admin, `/v1/events/${event}/questions/${id}/answer`, { answer: 'So.' }),
        people.ask(people.admin, 'DELETE', `/v1/users/${gone.id}`),
        people.post(people.stranger, `/v1/events/${event}/questions`, { question: 'At once?' }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 200, 200, 200, 200, 200, 204, 201])
    }
    for (const reader of readers) {
      const { body } = await people.get(reader, '/v1/user/notifications')
      expect(body).toHaveLength(rounds * 4)
    }
  })
})

const fillNotifications = statement(
  '',
  `with asked as (
     insert into questions (id, event_id, user_id, question, created_at)
     select gen_random_uuid(), $1::integer, $2::uuid, 'Question ' || n, now() - n * interval '10 minutes'
     from generate_series(1, $3::integer) as number (n)
     returning questions.id, questions.created_at
   )
   insert into notifications (user_id, event_id, question_id, notification_type, created_at, read_at)
   select event_participants.user_id, event_participants.event_id, asked.id, 'question', asked.created_at,
          case when asked.created_at < now() - interval '1 hour' then asked.created_at end
   from asked, event_participants
   where event_participants.event_id = $1::integer`,
)

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly Plans?: readonly PlanNode[]
}

/** How a statement reaches the notifications: the kinds of the scans, with their indexes. */
async function scansOf({ text }: Statement, values: readonly Value[], mode: string): Promise<string[]> {
  const given = values.map((value) => `'${value}'`).join(', ')
  return people.service.database.transaction(async (tx) => {
    await tx.execute(`set local plan_cache_mode = ${mode}; prepare hot as ${text}`)
    const explain = statement<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      '',
      `explain (format json) execute hot(${given})`,
    )
    const [row] = await tx.query(explain)
    await tx.execute('deallocate hot')
    return (row?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => notificationScans(Plan))
  })
}

function notificationScans(node: PlanNode): string[] {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, Plans: children = [] } = node
  const ofNotifications = table === 'notifications' || index?.startsWith('notifications_')
  return [
    ...(ofNotifications && type !== 'ModifyTable'
      ? [index === undefined ? type : `${type} of ${index}`]
      : []),
    ...children.flatMap(notificationScans),
  ]
}

describe(`with more than ${NOTIFICATIONS} notifications`, async () => {
  const { database } = people.service
  const reader = await people.createParticipant(event)
  await database.query(fillNotifications, [event, author.id, QUESTIONS])
  // What autovacuum does by itself: from then on the index alone knows that its rows are visible.
  await database.query(statement('', 'vacuum analyze notifications'))
  await database.query(statement('', 'analyze'))

  const modes = ['force_generic_plan', 'force_custom_plan']

  it.each(modes)(
    'the unread ones are counted from their index alone, %s [GET /v1/user/notifications/count]',
    async (mode) => {
      const scans = await scansOf(countUnread, [reader.id, 0, 1], mode)
      expect(scans).toEqual(['Index Only Scan of notifications_unread'])
    },
  )

  it.each(modes)('the list and the marks reach their own rows by the indexes, %s', async (mode) => {
    const both = [
      'Bitmap Heap Scan',
      'Bitmap Index Scan of notifications_unread',
      'Bitmap Index Scan of notifications_read',
    ]
    expect(await scansOf(listNotifications.whole, [reader.id, 0, 1], mode)).toEqual(both)
    expect(await scansOf(listNotifications.first, [reader.id, 0, 1, 20], mode)).toEqual(both)
    const marking = await scansOf(markRead, [reader.id], mode)
    expect(marking.some((scan) => scan.endsWith('of notifications_unread'))).toBe(true)
    expect(marking).not.toContain('Seq Scan')
  })
})
