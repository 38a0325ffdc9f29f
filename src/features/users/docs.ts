import type { RouteDocs } from '../../http/route-docs.ts'

/** Words and examples for the OpenAPI document. */
export const userDocs = {
  listUsers: { description: '', example: {} },
  readUser: { description: '', example: {} },
  createUser: { description: '', example: {} },
  updateUser: { description: '', example: {} },
  deleteUser: { description: '', example: {} },
} satisfies Record<string, RouteDocs>
