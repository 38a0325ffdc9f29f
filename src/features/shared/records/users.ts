import Type from 'typebox'
import { Instant, ResponseObject, Uuid } from '../../../http/routing/schema.ts'
import { managesEvent } from '../access/events.ts'

/** The fields of a user; the row of a deleted user has no personal data left (D16). */
export const userFields = (user: string, email = `${user}.email`) => `
    'id', ${user}.id,
    'name', ${user}.name,
    'email', ${email},
    'image', ${user}.image,
    'is_admin', ${user}.is_admin,
    'join_date', utc(${user}.join_date)`

export const userJson = (user: string, email?: string) => `json_build_object(${userFields(user, email)})`

/** The e-mail of a user; empty for others than the user where the condition `hides` holds (P21). */
export const emailUnless = (hides: string, user: string) =>
  `case when ${hides} and ${user}.id is distinct from :actor then '' else ${user}.email end`

/** A user as the actor sees them in an event: invited contests show e-mails to staff only (P21). */
export const userJsonIn = (event: string, user: string) =>
  userJson(user, emailUnless(hidesEmails(event), user))

const hidesEmails = (event: string) => `${event}.admission = 'invited' and not ${managesEvent(event)}`

/** The same in an event's list of users; the conditions are computed once. */
export const LISTED_EMAIL = emailUnless(
  `(select ${hidesEmails('events')} from events where events.id = :event_id)`,
  'users',
)

export const UserResponse = ResponseObject(
  {
    id: Uuid(),
    name: Type.String({ description: '`Deleted user` for a deleted user.' }),
    email: Type.String({
      description: 'Empty for a deleted user, and where only the staff of an invited contest sees it.',
    }),
    image: Type.String({ description: 'The address of a picture, or empty.' }),
    is_admin: Type.Boolean(),
    join_date: Instant(),
  },
  { title: 'User' },
)
