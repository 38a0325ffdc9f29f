import Type from 'typebox'
import { Instant, ResponseObject, Uuid } from '../../http/routing/schema.ts'

/** The JSON of a user; the row of a deleted user has no personal data left (D16). */
export const userJson = (user: string) => `json_build_object(
    'id', ${user}.id,
    'name', ${user}.name,
    'email', ${user}.email,
    'image', ${user}.image,
    'is_admin', ${user}.is_admin,
    'join_date', utc(${user}.join_date))`

export const UserResponse = ResponseObject(
  {
    id: Uuid(),
    name: Type.String({ description: '`Deleted user` for a deleted user.' }),
    email: Type.String({ description: 'Empty for a deleted user.' }),
    image: Type.String({ description: 'The address of a picture, or empty.' }),
    is_admin: Type.Boolean(),
    join_date: Instant(),
  },
  { title: 'User' },
)
