import type { healthRoutes } from '../../features/service/health/routes.ts'
import type { Operations } from '../operation-docs.ts'

export const healthOperations: Operations<ReturnType<typeof healthRoutes>[number]> = {
  describeService: {
    summary: 'Describe the service',
    description: `The name of the service, its health route and the prefix of its other routes. Does
not use the database.`,
    example: { response: { status: 'ok', service: 'judge-data-layer', health: '/health', api: '/v1' } },
  },
  checkHealth: {
    summary: 'Check that the process is up',
    description: `For a supervisor that restarts a process that hangs: 200 means that the process
responds, even without its database.`,
    example: { response: { status: 'ok' } },
  },
  checkHealthy: {
    summary: 'Check that the process is up',
    description: 'The same as `GET /health`, under another usual name.',
    example: { response: { status: 'ok' } },
  },
  checkReadiness: {
    summary: 'Check that the service can do its work',
    description: `For a load balancer: 200 if the service has just reached its database, else 503
with the reason. Send no requests to an instance that is not ready; it needs no restart.`,
    example: { response: { status: 'ready' } },
  },
}
