import Type from 'typebox'
import type { Config } from '../../config/config.ts'
import { Filled, ResponseObject, Uuid, Written } from '../../http/routing/schema.ts'
import { accountFields, newPassword } from '../users/schemas.ts'

const token = Type.String({ description: 'Send it raw in the `Authorization` header of what follows.' })
const session = { token, id: Uuid(), name: Type.String(), email: Type.String() }

/** What register and login answer. */
export const SessionResponse = ResponseObject({ ...session, image: Type.String() }, { title: 'Session' })

/** What the bridge answers: the same without the image. */
export const BridgeSessionResponse = ResponseObject(session, { title: 'BridgeSession' })

export const JudgeSessionResponse = ResponseObject({ token }, { title: 'JudgeSession' })

export const ResetRequestResponse = ResponseObject(
  {
    status: Type.Literal('ok'),
    token: Type.Optional(
      Type.String({ description: 'Only for development, where `PASSWORD_RESET_DEBUG` is on.' }),
    ),
  },
  { title: 'PasswordResetRequested' },
)

export const ResetResponse = ResponseObject({ status: Type.Literal('ok') }, { title: 'PasswordReset' })

export const LoginBody = Type.Object({ email: Written(), password: Written() }, { title: 'LoginBody' })

export const ResetRequestBody = Type.Object({ email: Written() }, { title: 'ResetRequestBody' })

/** Bodies whose bounds are configured (D8, D11). */
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
          description: 'The provider’s name and its own id of the person: the same at each login.',
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
