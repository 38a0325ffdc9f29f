import type { accountRoutes } from '../../features/people/accounts/routes.ts'
import { secrets, ulla, userToken, viktor } from '../examples/example-world.ts'
import type { Operations } from '../operation-docs.ts'

/** A judge's token, signed with a random secret. */
const judgeToken =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpZCI6IjAwMDAwMDAwLTAwMDAtMDAwMC0wMDAwLTAwMDAwMDAwMDAwMCIsInJvbGUiOjEsInZlciI6IkRaTFVxbGdoNXJlRXpjcGdQZUJFaEhyLVRhUHNRbUsyZDMzUlFqa1NNdHMiLCJpYXQiOjE3NjgwMzIwMDB9.x_8d1Gs4BJbVtaUu1bj4IMlXmlurhelk4vpB-2nb9X4'

const xenia = { name: 'Xenia', email: 'xenia@example.org' }

export const accountOperations: Operations<ReturnType<typeof accountRoutes>[number]> = {
  register: {
    summary: 'Register with e-mail and password',
    description: `Creates an account and logs it in: keep the \`token\` and the \`id\`. The service
trims the name and the e-mail address and stores them in NFC. No two accounts may share either of
them: NFKC forms are compared, ignoring case (409 \`USER_EXISTS\`). A name or an address with
invisible characters (but ZWJ and ZWNJ between letters), and the name \`Deleted user\`, get 400. An address in \`ADMIN_EMAILS\` makes the account an admin. If
registration is off (\`BASIC_REGISTRATION_ENABLED\`), requests get 403 \`REGISTRATION_DISABLED\`.`,
    example: {
      body: { ...xenia, password: 'staple battery horse correct' },
      response: { token: userToken, id: '019bb18a-75c0-7765-8649-56802c83ebfa', ...xenia, image: '' },
    },
  },
  logIn: {
    summary: 'Log in with e-mail and password',
    description: `Returns a token for an account with a password. The address may be in upper or
lower case. A wrong password and an unknown address get the same 401 \`INVALID_CREDENTIALS\`, after
the same time. Failed logins to one account from one address are limited too: further ones get 429,
even with the right password. A token lasts 30 days unless configured otherwise. After that, or after a password
reset, it gets \`TOKEN_EXPIRED\`: log in again. A new admin must log in again to use the new rights.`,
    example: {
      body: { email: ulla.email, password: secrets.ullasPassword },
      response: { token: userToken, id: ulla.id, name: ulla.name, email: ulla.email, image: ulla.image },
    },
  },
  createOrLogInUser: {
    summary: 'Exchange a login at an OAuth provider for a token (the web server only)',
    description: `For the web server, after a user has logged in at an OAuth provider. The
\`Authorization\` header carries \`WEB_BRIDGE_SECRET\` itself. Finds the account by \`id\`, the
provider's name for the user, or creates it. Updates the name and the address of an existing account
if they are free, and the image if there is one. A new account whose name or address belongs to
another account gets 409 \`USER_EXISTS\`. Accounts are never joined by their address: a provider may
not have verified it. Invisible characters are removed from the name and the address. If nothing is
left of the name, or it is \`Deleted user\`, the service makes one from the address and \`id\`.`,
    example: {
      body: { id: secrets.viktorsProviderId, name: viktor.name, email: viktor.email, image: viktor.image },
      response: { token: userToken, id: viktor.id, name: viktor.name, email: viktor.email },
    },
  },
  logInJudge: {
    summary: 'Log a judge worker in',
    description: `For judge workers. The \`Authorization\` header carries \`JUDGE_PASSWORD\` itself.
The token has role 1: it can read every submission, run and test case, and store verdicts. It lasts
until \`JUDGE_PASSWORD\` changes, unless configured otherwise. A worker that gets a 401 logs in again
and repeats its request.`,
    example: { response: { token: judgeToken } },
  },
  requestPasswordReset: {
    summary: 'Ask for a password-reset token',
    description: `Creates a token for \`POST /v1/basic_reset_password\`. It works once, within an
hour; older tokens of the account stop working. The status is \`ok\` whether or not the account
exists. The service sends no mail. The response contains the \`token\` only if
\`PASSWORD_RESET_DEBUG\` is on.`,
    example: { body: { email: ulla.email }, response: { status: 'ok' } },
  },
  resetPassword: {
    summary: 'Set a new password with a reset token',
    description: `Sets the password and ends all sessions of the account: their tokens get
\`TOKEN_EXPIRED\`. A missing, wrong, used or expired reset token gets 401 \`INVALID_RESET_TOKEN\`
and changes nothing. An unknown address gets \`ok\`. If \`ALLOW_INSECURE_PASSWORD_RESET\` is on, the
token may be left out.`,
    example: {
      body: {
        email: ulla.email,
        token: secrets.ullasResetToken,
        new_password: 'a better horse, a better battery',
      },
      response: { status: 'ok' },
    },
  },
}
