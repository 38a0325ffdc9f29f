import type { RouteDocs } from '../../http/route-docs.ts'

/** Words and examples for the OpenAPI document. */
export const runDocs = {
  createRun: { description: '', example: {} },
  readRun: { description: '', example: {} },
  createPublicRun: { description: '', example: {} },
  readPublicRun: { description: '', example: {} },
  createBenchRun: { description: '', example: {} },
  readBenchRun: { description: '', example: {} },
  storeRunVerdict: { description: '', example: {} },
} satisfies Record<string, RouteDocs>
