import type { featureRoutes } from '../features/routes.ts'
import type { Route } from '../http/routing/route.ts'
import { sumOfTwo, ulla } from './examples/example-world.ts'
import { practiceLeague } from './examples/example-world-contest.ts'
import type { documentationRoutes } from './routes.ts'

/** The path parameters of all examples that name no others. */
export const usualParams = { event_id: practiceLeague.id, problem_id: sumOfTwo.id, user_id: ulla.id }

/** The text of an operation, and an example that a test sends to the service. */
export interface OperationDocs<I> {
  readonly summary: string
  /** Markdown. */
  readonly description: string
  readonly example?: {
    readonly params?: Unusual<Input<I, 'params'>>
    readonly query?: Input<I, 'query'>
    readonly body?: Input<I, 'body'>
    /** The same body in CSV. */
    readonly csv?: string
    /** The body of the response. */
    readonly response?: unknown
  }
}

type Unusual<P> = Omit<P, keyof typeof usualParams> & Partial<P>

type Input<I, Part extends string> = I extends Readonly<Record<Part, infer T>> ? T : never

type Routes = ReturnType<typeof featureRoutes>

type Defined = Routes[keyof Routes][number] | ReturnType<typeof documentationRoutes>[number]

type OperationsOf<R extends Route> = {
  readonly [N in R['name']]: OperationDocs<NonNullable<Extract<R, { name: N }>['input']>>
}

/** One operation for each route, by operationId. */
export type Operations = OperationsOf<Defined>

export type SomeOperations = Partial<Operations>
