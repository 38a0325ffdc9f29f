import openapiTS, { astToString } from 'openapi-typescript'
import { loadConfig } from '../../src/config/config.ts'
import { createPasswords } from '../../src/http/routing/passwords.ts'
import { describeRoutes } from '../../src/http/routing/route-table.ts'
import { createTokens } from '../../src/http/routing/tokens.ts'
import { describeApi } from '../../src/openapi/document.ts'
import { allRoutes } from '../../src/routes.ts'

const noDatabase = async () => {
  throw new Error('The routes are only described.')
}

/** The service's routes with the default configuration. */
async function defaultRoutes() {
  const secret = 'a secret of sixteen bytes'
  const secrets = { JWT_SIGNING_SECRET: secret, JUDGE_PASSWORD: secret, WEB_BRIDGE_SECRET: secret }
  const config = loadConfig(secrets)
  const tokens = await createTokens({ secret, judgePassword: secret, ...config.tokens })
  const routes = allRoutes({
    changes: { follow: noDatabase, since: noDatabase, wake: () => {}, stop: async () => {} },
    config,
    languages: [],
    passwords: createPasswords(),
    tokens,
    metrics: undefined,
    wakeRelay: () => {},
  })
  return { config, routes }
}

/** The table of the routes, below the text that precedes it. */
export async function describeRouteTable(previous: string): Promise<string> {
  const { routes } = await defaultRoutes()
  return previous.slice(0, previous.indexOf('| Method |')) + describeRoutes(Object.values(routes).flat())
}

export async function describeOpenApi(): Promise<string> {
  const { config, routes } = await defaultRoutes()
  return `${JSON.stringify(describeApi(routes, config), null, 2)}\n`
}

/** The types of the client. Without comments, reworded descriptions do not change them. */
export async function describeClientTypes(): Promise<string> {
  const document = new URL('../../docs/openapi.json', import.meta.url)
  return astToString(await openapiTS(document), { formatOptions: { removeComments: true } })
}
