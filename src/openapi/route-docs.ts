/**
 * What the OpenAPI document tells of a route beyond its schemas: words in Markdown, and an example. A test sends the example's request to a
 * service that holds the examples' world (`features/example-world.ts`) and expects an answer like the example's.
 */
export interface RouteDocs<P = object, Q = object, B = unknown> {
  readonly description: string
  readonly example: {
    /** Of a path without parameters: left out. */
    readonly params?: P
    /** Left out where the example needs none. */
    readonly query?: Q
    /** Of a route without a body: left out. */
    readonly body?: B
    /** The body of the answer; left out where there is none. */
    readonly answer?: unknown
  }
}
