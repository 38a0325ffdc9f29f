import { featureRoutes } from './features/routes.ts'
import type { FeatureDependencies } from './features/shared/dependencies.ts'
import { documentationRoutes } from './openapi/routes.ts'

/** Every route of the service by the tag of its operation, in the specification's order. */
export function allRoutes(deps: FeatureDependencies) {
  const routes = featureRoutes(deps)
  const documentation = documentationRoutes(async () => {
    const { describeApi } = await import('./openapi/document.ts')
    return describeApi({ ...routes, Documentation: documentation }, deps.config)
  })
  return { ...routes, Documentation: documentation }
}
