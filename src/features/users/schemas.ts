import Type from 'typebox'
import type { Config } from '../../config/config.ts'
import {
  Email,
  Filled,
  Instant,
  PageQuery,
  ResponseObject,
  Uuid,
  Written,
} from '../../http/routing/schema.ts'

/** A user as every route answers it (specification, User). */
export const UserResponse = ResponseObject(
  {
    id: Uuid(),
    name: Type.String({ description: '`Deleted user` for one who was deleted.' }),
    email: Type.String({ description: 'Empty for one who was deleted.' }),
    image: Type.String({ description: 'The address of a picture, or empty.' }),
    is_admin: Type.Boolean(),
    join_date: Instant(),
  },
  { title: 'User' },
)

export const UserListQuery = Type.Object({
  ...PageQuery.properties,
  username: Type.Optional(Written({ description: 'Part of the name, whatever its case.' })),
})

/** The fields of an account that a person chooses, within the configured sizes (D8). Blank means missing. */
export function accountFields({ nameCharacters }: Config['sizes']) {
  return {
    name: Filled({ maxLength: nameCharacters }),
    email: Email({ maxLength: nameCharacters }),
    // Providers send null where there is no picture.
    image: Type.Union([Written({ maxLength: 8192 }), Type.Null()]),
  }
}

/** A password when it is set (D11); when it is presented any text is compared. */
export function newPassword({ passwordMinLength }: Config['accounts']) {
  return Written({ minLength: passwordMinLength, maxLength: 1024 })
}

/** Body of `POST /v1/users`; `password_hash` of the older form is ignored (D16). */
export function userCreation({ sizes, accounts }: Pick<Config, 'sizes' | 'accounts'>) {
  const { name, email, image } = accountFields(sizes)
  return Type.Object(
    {
      name,
      email,
      image: Type.Optional(image),
      is_admin: Type.Optional(Type.Boolean()),
      password: Type.Optional(newPassword(accounts)),
    },
    { title: 'UserBody' },
  )
}

/** Body of `PUT /v1/users/{user_id}`, each field optional (D16). */
export function userUpdate({ sizes }: Pick<Config, 'sizes'>) {
  const { name, image } = accountFields(sizes)
  return Type.Object(
    {
      name: Type.Optional(name),
      image: Type.Optional(image),
      is_admin: Type.Optional(Type.Boolean()),
    },
    { title: 'UserUpdateBody' },
  )
}
