import { readFile } from 'node:fs/promises'
import openapiTS, { astToString } from 'openapi-typescript'
import { loadConfig } from '../../src/config/config.ts'
import { contestRules } from '../../src/features/contests/events/contest-rules.ts'
import { createPasswords } from '../../src/http/routing/passwords.ts'
import { createTokens } from '../../src/http/routing/tokens.ts'
import { type ApiDocument, describeApi } from '../../src/openapi/document.ts'
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
    changes: {
      ...{ follow: noDatabase, since: noDatabase, readPresent: noDatabase, renew: (position) => position },
      ...{ wake: () => {}, stop: async () => {} },
    },
    config,
    languages: [],
    pages: [],
    passwords: createPasswords(),
    tokens,
    metrics: undefined,
    wakeRelay: () => {},
    wakeWebhooks: () => {},
  })
  return { config, routes }
}

export async function describeOpenApi(): Promise<string> {
  const { config, routes } = await defaultRoutes()
  return `${JSON.stringify(describeApi(routes, config), null, 2)}\n`
}

/** The rules of a contest in a request, as JSON schemas for the command line's contest file. */
export function describeContestRules(): string {
  const rules = Object.entries(contestRules).map(([name, { anyOf }]) => [name, withoutDescriptions(anyOf[0])])
  return `export const CONTEST_RULES = ${JSON.stringify(Object.fromEntries(rules), null, 2)} as const\n`
}

function withoutDescriptions(schema: object): object {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === 'description' ? undefined : value)))
}

/** The Contest API is for tools that exist, and its errors have another form. */
const FOREIGN_PATHS = '/v1/clics'

/** The types of the client. Without comments, reworded descriptions do not change them. */
export async function describeClientTypes(): Promise<string> {
  const text = await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8')
  const document: ApiDocument = JSON.parse(text)
  const paths = Object.entries(document.paths).filter(([path]) => !path.startsWith(FOREIGN_PATHS))
  const own: object = { ...document, paths: Object.fromEntries(paths) }
  return astToString(await openapiTS(JSON.stringify(own)), { formatOptions: { removeComments: true } })
}
