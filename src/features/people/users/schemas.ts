import Type from 'typebox'
import type { Config } from '../../../config/config.ts'
import { Update, Written } from '../../../http/routing/schema.ts'
import { PageQuery } from '../../../lists/page.ts'
import { accountFields, newPassword } from '../accounts/schemas.ts'

export const UserListQuery = Type.Object({
  ...PageQuery.properties,
  username: Type.Optional(Written({ description: 'Part of the name, in upper or lower case.' })),
})

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

/** Body of `PUT /v1/users/{user_id}`, any of the fields (D16). */
export function userUpdate({ sizes }: Pick<Config, 'sizes'>) {
  const { name, image } = accountFields(sizes)
  return Update({ name, image, is_admin: Type.Boolean() }, { title: 'UserUpdateBody' })
}

/** Body of `PUT /v1/users/{user_id}/password`. */
export function passwordChange({ accounts }: Pick<Config, 'accounts'>) {
  return Type.Object(
    {
      password: newPassword(accounts),
      current_password: Type.Optional(
        Written({ description: 'Required for your own password, also of admins.' }),
      ),
    },
    { title: 'PasswordBody' },
  )
}
