import Type from 'typebox'
import type { Config } from '../../../config/config.ts'
import {
  Filled,
  OrNull,
  OwnerName,
  ResponseObject,
  UserEmail,
  Uuid,
  Written,
} from '../../../http/routing/schema.ts'

/** The fields of an account within the configured sizes (D8). Blank means missing. */
export function accountFields({ nameCharacters }: Pick<Config['sizes'], 'nameCharacters'>) {
  return {
    name: OwnerName({ maxLength: nameCharacters }),
    email: UserEmail({ maxLength: nameCharacters }),
    // Providers send null for no picture.
    image: OrNull(Written({ maxLength: 8192 })),
  }
}

/** A new password (D11); a login compares any text. */
export function newPassword({ passwordMinLength }: Pick<Config['accounts'], 'passwordMinLength'>) {
  return Written({ minLength: passwordMinLength, maxLength: 1024 })
}

const token = Type.String({ description: 'Send it raw in the `Authorization` header of later requests.' })
const session = { token, id: Uuid(), name: Type.String(), email: Type.String() }

export const SessionResponse = ResponseObject({ ...session, image: Type.String() }, { title: 'Session' })

export const BridgeSessionResponse = ResponseObject(session, { title: 'BridgeSession' })

export const JudgeSessionResponse = ResponseObject({ token }, { title: 'JudgeSession' })

export const ResetRequestResponse = ResponseObject(
  {
    status: Type.Literal('ok'),
    token: Type.Optional(Type.String({ description: 'Only with `PASSWORD_RESET_DEBUG`, for development.' })),
  },
  { title: 'PasswordResetRequested' },
)

export const ResetResponse = ResponseObject({ status: Type.Literal('ok') }, { title: 'PasswordReset' })

export const LoginBody = Type.Object({ email: Written(), password: Written() }, { title: 'LoginBody' })

export const ResetRequestBody = Type.Object({ email: Written() }, { title: 'ResetRequestBody' })

/** White space that is no space: the bridge removes it. */
const HIDDEN_SPACE = '\\u2028\\u2029\\uFEFF'
const HIDDEN_OR_VISIBLE = `(?:[^\\s@]|[\\t-\\r${HIDDEN_SPACE}])`

/** Bodies with configured sizes (D8, D11). */
export function accountBodies({ sizes, accounts }: Pick<Config, 'sizes' | 'accounts'>) {
  const { name, email, image } = accountFields(sizes)
  const password = newPassword(accounts)
  return {
    registration: Type.Object(
      { name, email, password, image: Type.Optional(image) },
      { title: 'RegistrationBody' },
    ),
    bridge: Type.Object(
      {
        id: Filled({
          maxLength: sizes.nameCharacters,
          description: 'The provider’s name and its id of the user: the same at each login.',
        }),
        // Hidden characters are removed: the user cannot correct a provider's profile here.
        name: Written({
          maxLength: sizes.nameCharacters,
          pattern: `[\\S${HIDDEN_SPACE}]`,
          'x-wants': 'not be empty',
        }),
        email: Written({
          maxLength: sizes.nameCharacters,
          pattern: `^\\s*${HIDDEN_OR_VISIBLE}+@${HIDDEN_OR_VISIBLE}+\\s*$`,
          'x-wants': 'be an e-mail address',
        }),
        image: Type.Optional(image),
      },
      { title: 'BridgeBody' },
    ),
    reset: Type.Object(
      {
        email: Written(),
        token: Type.Optional(
          Written({ description: 'Required, unless `ALLOW_INSECURE_PASSWORD_RESET` is on.' }),
        ),
        new_password: password,
      },
      { title: 'ResetBody' },
    ),
  }
}
