import Type from 'typebox'
import type { Config } from '../../config/config.ts'
import { Email, Filled, ResponseObject, Uuid, Written } from '../../http/routing/schema.ts'

/** The fields of an account within the configured sizes (D8). Blank means missing. */
export function accountFields({ nameCharacters }: Config['sizes']) {
  return {
    name: Filled({ maxLength: nameCharacters }),
    email: Email({ maxLength: nameCharacters }),
    // Providers send null for no picture.
    image: Type.Union([Written({ maxLength: 8192 }), Type.Null()]),
  }
}

/** A new password (D11); a login compares any text. */
export function newPassword({ passwordMinLength }: Config['accounts']) {
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
        name,
        email,
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
