import type { RouteDocs } from '../route-docs.ts'

/** Words and examples for the OpenAPI document. */
export const healthDocs = {
  describeService: {
    description:
      'Names the service, its health route and the prefix of its other routes. It asks nothing of the database.',
    example: {
      answer: { status: 'ok', service: 'judge-data-layer', health: '/health', api: '/v1' },
    },
  },
  checkHealth: {
    description:
      'For a supervisor that restarts what hangs: 200 means that the process is up and answers, whether or not its database does.',
    example: { answer: { status: 'ok' } },
  },
  checkHealthy: {
    description: 'The same as `GET /health`, under the name that other supervisors ask for.',
    example: { answer: { status: 'ok' } },
  },
  checkReadiness: {
    description:
      'For a load balancer: 200 when the service has just reached its database, 503 with the reason while it cannot. Send no requests to an instance that is not ready; it need not be restarted for it.',
    example: { answer: { status: 'ready' } },
  },
} satisfies Record<string, RouteDocs>
