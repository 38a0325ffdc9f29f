import { MOST_USERS } from '../../features/people/user-imports/schemas.ts'
import { secrets, ulla, userToken, viktor, wim } from '../examples/example-world.ts'
import { practiceLeague } from '../examples/example-world-contest.ts'
import type { SomeOperations } from '../operation-docs.ts'

/** A judge's token, signed with a random secret. */
const judgeToken =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpZCI6IjAwMDAwMDAwLTAwMDAtMDAwMC0wMDAwLTAwMDAwMDAwMDAwMCIsInJvbGUiOjEsInZlciI6IkRaTFVxbGdoNXJlRXpjcGdQZUJFaEhyLVRhUHNRbUsyZDMzUlFqa1NNdHMiLCJpYXQiOjE3NjgwMzIwMDB9.x_8d1Gs4BJbVtaUu1bj4IMlXmlurhelk4vpB-2nb9X4'

const xenia = { name: 'Xenia', email: 'xenia@example.org' }
const newUser = { ...xenia, image: '', is_admin: false }

export const accountOperations = {
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
  listUsers: {
    summary: 'List the users, or search them by name',
    description: `For admins. The oldest account comes first; deleted accounts are left out.
\`username\` selects the users whose name contains it; NFKC forms are compared, ignoring case.`,
    example: { query: { username: 'ull' }, response: [ulla] },
  },
  readUser: {
    summary: 'Read a user',
    description: `For any user. A deleted user gets 404, though older records still show them as
\`Deleted user\`. \`email\` is empty for a participant of an invited contest, also after the
contest was deleted, unless the caller is the user, an admin, or staff of such a contest.`,
    example: { response: ulla },
  },
  createUser: {
    summary: 'Create a user',
    description: `For admins, also when registration is off. Without a \`password\` the user cannot
log in before a password reset. An address in \`ADMIN_EMAILS\` makes an admin, even if \`is_admin\`
is false. A name or an address of another user gets 400 \`USER_EXISTS\`; NFKC forms are compared,
ignoring case. \`password_hash\` from
older clients is ignored.`,
    example: {
      body: { ...newUser, password: 'staple battery horse correct' },
      response: { id: '019bb18a-75c0-7765-8649-56802c83ebfa', ...newUser, join_date: '2026-01-12T09:30:00Z' },
    },
  },
  updateUser: {
    summary: 'Change a user’s name, image or admin flag',
    description: `For admins. Absent fields stay as they are. A new admin must log in again to use
the new rights; a former admin loses them at once. The last admin cannot be demoted (403
\`LAST_ADMIN\`). Another user's name gets 400 \`USER_EXISTS\`.`,
    example: { params: { user_id: wim.id }, body: { name: 'Willem', is_admin: false } },
  },
  deleteUser: {
    summary: 'Delete a user; their tokens stop working at once',
    description: `For the user and for admins. Erases the name, address, image, password and
provider's id at once, so that others may use them. Every token of the account gets
\`ACCOUNT_DELETED\`. The user's submissions stay, under the name \`Deleted user\`. The last admin
cannot be deleted (403 \`LAST_ADMIN\`).`,
    example: { params: { user_id: wim.id } },
  },
  setPassword: {
    summary: 'Set a password: one’s own, or as an admin that of a user',
    description: `Users send their \`current_password\`; so do admins for their own. A wrong one gets 401
\`INVALID_CREDENTIALS\`. Admins set the password of any user who is no admin (403), without the current
one. All sessions of the account end: their tokens get \`TOKEN_EXPIRED\`. Open reset tokens stop
working. An account that has no password, because it logs in at a provider, gets 403: ask for a
password reset.`,
    example: {
      body: { password: 'a better horse, a better battery', current_password: secrets.ullasPassword },
    },
  },
  importUsers: {
    summary: 'Import many users, also into a contest',
    description: `For admins. The body is JSON, or CSV with a header row: the columns \`name\` and
\`email\`, and if wanted \`password\` and \`team\`. \`warnings\` names other columns, which are ignored; a name
that resembles one of these, such as \`E-Mail\`, gets 400. At most ${MOST_USERS} users.

An account with the same address (NFKC forms are compared, ignoring case) \`exists\`: nothing about it
changes, so an import can be repeated. Others are \`created\`. Without a \`password\`, the service
generates one and returns it in this response only; a sent one is not returned. With \`event_id\`, all
users take part in the event, also those whose account existed, and \`team\` puts a user on the team of
this name. \`team\` needs \`event_id\`.

If a user cannot be imported, nothing is stored, and the 400 names the first faults. With
\`partial=true\` the others are imported, and such a user is \`refused\` with an \`error\`. Reasons are
an invalid field, an address or a name for the second time in the request, the name of another account,
an event without teams, another team in the event, and a user whom staff has removed from the event.

The CSV file has commas between its columns, not semicolons, and is in UTF-8.

1,000 users take about half a minute, because passwords are hashed. Logins go first meanwhile. If all
users then log in from one address, such as a class behind a school's router, most get 429: the
operator raises \`RATE_LIMIT_ACCOUNTS\` before, or exempts the network with \`RATE_LIMIT_EXEMPT\`.
\`Idempotency-Key\` is ignored here: responses with passwords are not stored.`,
    example: {
      query: { event_id: practiceLeague.id },
      body: {
        users: [
          { name: xenia.name, email: xenia.email, team: 'Early Birds' },
          { name: ulla.name, email: ulla.email },
        ],
      },
      csv: `name,email,team\n${xenia.name},${xenia.email},Early Birds\n${ulla.name},${ulla.email},\n`,
      response: {
        users: [
          {
            email: xenia.email,
            id: '019bb18a-75c0-7765-8649-56802c83ebfa',
            outcome: 'created',
            password: 'h7kd-2mvp-9tqe-xw4c',
          },
          { email: ulla.email, id: ulla.id, outcome: 'exists' },
        ],
      },
    },
  },
} satisfies SomeOperations
