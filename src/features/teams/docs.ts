import type { RouteDocs } from '../../http/route-docs.ts'

/** Words and examples for the OpenAPI document. */
export const teamDocs = {
  listTeams: { description: '', example: {} },
  readOwnTeam: { description: '', example: {} },
  readTeam: { description: '', example: {} },
  createTeam: { description: '', example: {} },
  joinTeam: { description: '', example: {} },
} satisfies Record<string, RouteDocs>
