import type { Route } from '../http/routing/route.ts'

/** The text of an operation, and an example that a test sends to the service. */
export interface OperationDocs<I> {
  readonly summary: string
  /** Markdown. */
  readonly description: string
  readonly example: {
    readonly params?: Input<I, 'params'>
    readonly query?: Input<I, 'query'>
    readonly body?: Input<I, 'body'>
    /** The same body in CSV. */
    readonly csv?: string
    /** The body of the response. */
    readonly response?: unknown
  }
}

type Input<I, Part extends string> = I extends Readonly<Record<Part, infer T>> ? T : never

type OperationsOf<R extends Route> = {
  readonly [N in R['name']]: OperationDocs<NonNullable<Extract<R, { name: N }>['input']>>
}

type Item<T> = T extends readonly (infer R)[] ? R : T
type Defined<F> = F extends (...args: never) => infer T ? Extract<Item<T>, Route> : never

/** The operations, by operationId, of the routes that functions define: one for each route. */
export type Operations<F> = OperationsOf<Defined<F>>
