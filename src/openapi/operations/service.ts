import type { SomeOperations } from '../operation-docs.ts'

export const serviceOperations = {
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
  openScoreboardPage: {
    summary: 'The scoreboard of an event as a page for a projector',
    description: `Shows the standings while they change, the freeze, and the reveal of the thaw. The page
is the same for every event, also for one that does not exist. It needs \`scoreboard\` \`public\`, or a
scoreboard token in the fragment of its address: \`#token=…\`.`,
  },
  openContestPage: {
    summary: 'An event as a page for those who take part',
    description: `Log in, read the problems, submit, ask. The page is the same for every event, also for
one that does not exist. It is an example for authors of front ends.`,
  },
  readPageFile: {
    summary: 'Read a file of the pages',
    description: `Scripts, style sheets and fonts. Their names change with their contents, so that
browsers keep them. \`licences.txt\` has the licences of the libraries in them.`,
    example: { params: { file: 'licences.txt' } },
  },
  readDocument: {
    summary: 'Read this document',
    description: `Every route with its requests and responses, with the sizes and rates of this
service’s configuration.`,
    example: { response: { openapi: '3.1.0', info: {}, paths: {} } },
  },
} satisfies SomeOperations
