import type { accountRoutes } from '../../features/accounts/routes.ts'
import { secrets, ulla, userToken, viktor } from '../examples/example-world.ts'
import type { Operations } from '../operation-docs.ts'

/** A judge's token, as its login answers it; it is signed with nobody's secret. */
const judgeToken =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpZCI6IjAwMDAwMDAwLTAwMDAtMDAwMC0wMDAwLTAwMDAwMDAwMDAwMCIsInJvbGUiOjEsInZlciI6MSwiaWF0IjoxNzY4MDMyMDAwLCJleHAiOjE3NzA2MjQwMDB9.fHTI01TDCmV5Txj4PKdjvRbuY-lF0NnXt5xBHdRk42k'

const xenia = { name: 'Xenia', email: 'xenia@example.org' }

export const accountOperations: Operations<ReturnType<typeof accountRoutes>[number]> = {
  register: {
    summary: 'Register with e-mail and password',
    description: `Makes an account and logs it in: keep the \`token\` and the \`id\`. Name and e-mail address are trimmed, and no two accounts share either,
whatever the case (409 \`USER_EXISTS\`). An address of \`ADMIN_EMAILS\` makes the account an admin. Where the service does not open registration
(\`BASIC_REGISTRATION_ENABLED\`) this is 403 \`REGISTRATION_DISABLED\`.`,
    example: {
      body: { ...xenia, password: 'staple battery horse correct' },
      response: { token: userToken, id: '019bb18a-75c0-7765-8649-56802c83ebfa', ...xenia, image: '' },
    },
  },
  logIn: {
    summary: 'Log in with e-mail and password',
    description: `Answers a token for an account with a password. The address may be in any case. A wrong password and an unknown address are the same 401
\`INVALID_CREDENTIALS\`, after the same time. A token lasts seven days unless the service is configured otherwise; then, or after a password reset,
it is refused with \`TOKEN_EXPIRED\`: log in again. A user who becomes an admin logs in again to act as one.`,
    example: {
      body: { email: ulla.email, password: secrets.ullasPassword },
      response: { token: userToken, id: ulla.id, name: ulla.name, email: ulla.email, image: ulla.image },
    },
  },
  createOrLogInUser: {
    summary: 'Exchange a login at an OAuth provider for a token (the web server only)',
    description: `For the web server that has just logged somebody in at an OAuth provider; the \`Authorization\` header carries \`WEB_BRIDGE_SECRET\` itself.
The account is found by \`id\`, the provider's name for the person, and made if there is none. Name, address and image of a known account follow what is
sent, each as far as it is free. A new account whose name or address is another's is 409 \`USER_EXISTS\`: accounts are never joined by their address,
which a provider may not have verified.`,
    example: {
      body: {
        id: secrets.viktorsProviderId,
        name: viktor.name,
        email: viktor.email,
        image: viktor.image,
      },
      response: { token: userToken, id: viktor.id, name: viktor.name, email: viktor.email },
    },
  },
  logInJudge: {
    summary: 'Log a judge worker in',
    description: `For judge workers; the \`Authorization\` header carries \`JUDGE_PASSWORD\` itself. The token has role 1: it reads every submission, run and test
case, and stores verdicts. It lasts thirty days unless configured otherwise; a worker that meets a 401 logs in again and repeats its request.`,
    example: { response: { token: judgeToken } },
  },
  requestPasswordReset: {
    summary: 'Ask for a password-reset token; always answers ok',
    description: `Makes a token for \`POST /v1/basic_reset_password\`, good for one use within an hour; older tokens of the account end. The answer is \`ok\` whether
or not there is such an account. The service sends no mail, and answers the \`token\` itself only where \`PASSWORD_RESET_DEBUG\` is on.`,
    example: { body: { email: ulla.email }, response: { status: 'ok' } },
  },
  resetPassword: {
    summary: 'Set a new password with a reset token',
    description: `Sets the password and ends the sessions so far: their tokens are refused with \`TOKEN_EXPIRED\`. A token that is missing, wrong, used or older than
an hour is 401 \`INVALID_RESET_TOKEN\` and changes nothing; an unknown address is answered \`ok\`. Where \`ALLOW_INSECURE_PASSWORD_RESET\` is on the token may be
left out.`,
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
