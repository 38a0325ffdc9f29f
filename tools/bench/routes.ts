import { listRoutes } from './list-routes.ts'
import { recordRoutes } from './record-routes.ts'
import type { HotRoute } from './route.ts'
import { writingRoutes } from './writing-routes.ts'

export const hotRoutes: readonly HotRoute[] = [...recordRoutes, ...listRoutes, ...writingRoutes]
