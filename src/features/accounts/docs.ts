import type { RouteDocs } from '../../http/route-docs.ts'

/** Words and examples for the OpenAPI document. */
export const accountDocs = {
  register: { description: '', example: {} },
  logIn: { description: '', example: {} },
  createOrLogInUser: { description: '', example: {} },
  logInJudge: { description: '', example: {} },
  requestPasswordReset: { description: '', example: {} },
  resetPassword: { description: '', example: {} },
} satisfies Record<string, RouteDocs>
