import type { userRoutes } from '../../features/users/routes.ts'
import { ulla, wim } from '../examples/example-world.ts'
import type { Operations } from '../operation-docs.ts'

const xenia = { name: 'Xenia', email: 'xenia@example.org', image: '', is_admin: false }

export const userOperations: Operations<ReturnType<typeof userRoutes>[number]> = {
  listUsers: {
    summary: 'List the users, or those whose name contains a text',
    description:
      'For admins. The oldest account comes first; deleted accounts are not there. `username` keeps those whose name contains it, whatever the case.',
    example: { query: { username: 'ull' }, response: [ulla] },
  },
  readUser: {
    summary: 'Read a user',
    description:
      'Anybody with a token may read any user. A deleted one is 404, though lists of the past still show them, as `Deleted user`.',
    example: { params: { user_id: ulla.id }, response: ulla },
  },
  createUser: {
    summary: 'Create a user',
    description: `For admins, whether or not registration is open. Without a \`password\` nobody can log in to the account until a password reset gives it one.
An address of \`ADMIN_EMAILS\` makes an admin whatever \`is_admin\` says. A name or an address that is taken is 400 \`USER_EXISTS\`. A
\`password_hash\`, as older clients send it, is ignored.`,
    example: {
      body: { ...xenia, password: 'staple battery horse correct' },
      response: { id: '019bb18a-75c0-7765-8649-56802c83ebfa', ...xenia, join_date: '2026-01-12T09:30:00Z' },
    },
  },
  updateUser: {
    summary: 'Change a user’s name, image or admin flag',
    description: `For admins; what is left out stays as it is. Somebody who becomes an admin needs a new login to act as one, while whoever ceases to be one loses
the rights at once. The last admin cannot be demoted (403 \`LAST_ADMIN\`), and a taken name is 400 \`USER_EXISTS\`.`,
    example: { params: { user_id: wim.id }, body: { name: 'Willem', is_admin: false } },
  },
  deleteUser: {
    summary: 'Delete a user; their tokens stop working at once',
    description: `The user themself or an admin. Name, address, image, password and provider's id are erased at once and are free for others, and every token of
the account is refused with \`ACCOUNT_DELETED\`. What the user has submitted stays, under the name \`Deleted user\`. The last admin cannot be deleted (403
\`LAST_ADMIN\`).`,
    example: { params: { user_id: wim.id } },
  },
}
