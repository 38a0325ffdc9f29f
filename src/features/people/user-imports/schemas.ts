import Type from 'typebox'
import type { Config } from '../../../config/config.ts'
import {
  IntegerId,
  Nullable,
  OwnerName,
  ResponseObject,
  Uuid,
  Written,
} from '../../../http/routing/schema.ts'
import { accountFields, newPassword } from '../accounts/schemas.ts'

/** Some 25 s of hashing on a core. */
export const MOST_USERS = 2000

export const ImportQuery = Type.Object({
  event_id: Type.Optional(IntegerId({ description: 'The users take part in this event.' })),
  partial: Type.Optional(
    Type.Boolean({ description: 'Whether users are imported although others are refused.' }),
  ),
})

/**
 * Only types and well-formed texts: the rules for a user are in `importedUser`, because they refuse
 * one user at a time.
 */
export const ImportBody = Type.Object(
  {
    users: Type.Array(
      Type.Object({
        name: Written({ description: 'As for `POST /v1/users`.' }),
        email: Written({ description: 'As for `POST /v1/users`.' }),
        password: Nullable(
          Written({ description: 'Without one, the service generates a password and returns it.' }),
        ),
        team: Nullable(
          Written({
            description:
              'The name of a team of the event, by the rules for names; it is created if it does not exist.',
          }),
        ),
      }),
      { minItems: 1, maxItems: MOST_USERS },
    ),
  },
  { title: 'UserImportBody' },
)

/** The rules for a user of an import are the rules for other accounts (D7, D8, D11). */
export function importedUser({ sizes, accounts }: Pick<Config, 'sizes' | 'accounts'>) {
  const { name, email } = accountFields(sizes)
  return Type.Object({
    name,
    email,
    password: Type.Optional(newPassword(accounts)),
    team: Type.Optional(OwnerName({ maxLength: sizes.nameCharacters })),
  })
}

export const ImportResponse = ResponseObject(
  {
    users: Type.Array(
      ResponseObject(
        {
          email: Type.String(),
          id: Type.Optional(Uuid({ description: 'Of the account; not for a refused user.' })),
          outcome: Type.Enum(['created', 'exists', 'refused']),
          password: Type.Optional(
            Type.String({ description: 'The generated password of a new account; it is not shown again.' }),
          ),
          error: Type.Optional(Type.String({ description: 'Why the user is refused.' })),
        },
        { title: 'ImportedUser' },
      ),
      { description: 'In the order of the request.' },
    ),
    warnings: Type.Optional(
      Type.Array(Type.String(), { description: 'Of a CSV file: the columns that were ignored.' }),
    ),
  },
  { title: 'UserImport' },
)
