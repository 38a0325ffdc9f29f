import Type from 'typebox'
import { ok } from '../http/routing/responses.ts'
import { defineRoute, type Route } from '../http/routing/route.ts'
import { NoFields } from '../http/routing/schema.ts'
import type { ApiDocument } from './document.ts'

const DocumentResponse = Type.Object(
  { openapi: Type.String(), info: Type.Object({}), paths: Type.Object({}) },
  { description: 'An OpenAPI 3.1 document, with what the specification of OpenAPI gives it.' },
)

/** `/openapi.json`; the document describes this route too, so it is made when first asked for. */
export function documentationRoutes(describe: () => ApiDocument): Route[] {
  let document: string | undefined
  return [
    defineRoute({
      method: 'GET',
      url: '/openapi.json',
      name: 'readDocument',
      summary: 'Read this document',
      docs: {
        description:
          'Every route with its requests and answers, within the sizes and rates that this service is configured with.',
        example: { answer: { openapi: '3.1.0', info: {}, paths: {} } },
      },
      policy: 'none',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: NoFields,
        query: NoFields,
        body: undefined,
        answers: { 200: DocumentResponse },
        refusals: [],
      },
      handler: async () => {
        document ??= JSON.stringify(describe())
        return ok(document)
      },
    }),
  ]
}
