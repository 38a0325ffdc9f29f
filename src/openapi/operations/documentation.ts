import type { Operations } from '../operation-docs.ts'
import type { documentationRoutes } from '../routes.ts'

export const documentationOperations: Operations<ReturnType<typeof documentationRoutes>[number]> = {
  readDocument: {
    summary: 'Read this document',
    description: `Every route with its requests and responses, with the sizes and rates of this
service’s configuration.`,
    example: { response: { openapi: '3.1.0', info: {}, paths: {} } },
  },
}
