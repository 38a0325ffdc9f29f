import Type from 'typebox'
import { ok } from '../http/routing/responses.ts'
import { defineRoute, type Route } from '../http/routing/route.ts'

const DocumentResponse = Type.Object(
  { openapi: Type.String(), info: Type.Object({}), paths: Type.Object({}) },
  { description: 'An OpenAPI 3.1 document.' },
)

/** `/openapi.json`: the document is built at the first request, and describes this route too. */
export function documentationRoutes(describe: () => Promise<object>): Route<'readDocument'>[] {
  let document: string | undefined
  return [
    defineRoute('readDocument', 'GET /openapi.json', {
      policy: 'none',
      responses: { 200: DocumentResponse },
      handler: async () => {
        document ??= JSON.stringify(await describe())
        return ok(document)
      },
    }),
  ]
}
