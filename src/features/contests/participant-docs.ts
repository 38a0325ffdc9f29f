import type { RouteDocs } from '../../http/route-docs.ts'

/** Words and examples for the OpenAPI document. */
export const participantDocs = {
  registerForEvent: { description: '', example: {} },
  listPublicParticipants: { description: '', example: {} },
  listParticipants: { description: '', example: {} },
  addParticipant: { description: '', example: {} },
} satisfies Record<string, RouteDocs>
