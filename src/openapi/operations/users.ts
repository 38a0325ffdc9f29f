import type { userRoutes } from '../../features/users/routes.ts'
import { ulla, wim } from '../examples/example-world.ts'
import type { Operations } from '../operation-docs.ts'

const xenia = { name: 'Xenia', email: 'xenia@example.org', image: '', is_admin: false }

export const userOperations: Operations<ReturnType<typeof userRoutes>[number]> = {
  listUsers: {
    summary: 'List the users, or search them by name',
    description: `For admins. The oldest account comes first; deleted accounts are left out.
\`username\` selects the users whose name contains it; NFKC forms are compared, ignoring case.`,
    example: { query: { username: 'ull' }, response: [ulla] },
  },
  readUser: {
    summary: 'Read a user',
    description: `For any user. A deleted user gets 404, though older records still show them as
\`Deleted user\`. \`email\` is empty for a participant of an invited contest, unless the caller is
the user, an admin, or staff of such a contest.`,
    example: { params: { user_id: ulla.id }, response: ulla },
  },
  createUser: {
    summary: 'Create a user',
    description: `For admins, also when registration is off. Without a \`password\` the user cannot
log in before a password reset. An address in \`ADMIN_EMAILS\` makes an admin, even if \`is_admin\`
is false. A name or an address of another user gets 400 \`USER_EXISTS\`; NFKC forms are compared,
ignoring case. \`password_hash\` from
older clients is ignored.`,
    example: {
      body: { ...xenia, password: 'staple battery horse correct' },
      response: { id: '019bb18a-75c0-7765-8649-56802c83ebfa', ...xenia, join_date: '2026-01-12T09:30:00Z' },
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
}
