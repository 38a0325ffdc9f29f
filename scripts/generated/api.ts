import { ChangeLog } from '../../src/changes/change-log.ts'
import { loadConfig } from '../../src/config/config.ts'
import { contestRules } from '../../src/features/contests/events/contest-rules.ts'
import { createPasswords } from '../../src/http/routing/passwords.ts'
import { createTokens } from '../../src/http/routing/tokens.ts'
import { describeApi } from '../../src/openapi/document.ts'
import { PackageProcesses } from '../../src/package-process/package-processes.ts'
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
    changes: new ChangeLog({ database: { query: noDatabase }, config, logger: console }),
    config,
    languages: [],
    packageProcesses: new PackageProcesses({ limits: config.packages }),
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
  return `${writeJson(describeApi(routes, config))}\n`
}

const REFERENCE = /"\$ref": "[^"]*"/.source
const ITEM = `"(?:[^"\\\\]|\\\\.)*"|[^\\s"{}[\\],]+|${REFERENCE}|{ ${REFERENCE} }`
/** Lists of words, numbers and references, and references, with the beginning of their line. */
const SHORT = new RegExp(`^(.*)([[{])\\n((?: +(?:${ITEM}),?\\n)+) +[\\]}]`, 'gm')
const LINE_WIDTH = 110

/** As the formatter of the project writes JSON. */
const writeJson = (value: object) =>
  JSON.stringify(value, null, 2).replaceAll(SHORT, joinLines).replaceAll(SHORT, joinLines)

/** On one line if they fit. */
function joinLines(lines: string, start: string, bracket: string, items: string): string {
  const text = items.trim().replaceAll(/\n +/g, ' ')
  const line = start + (bracket === '[' ? `[${text}]` : `{ ${text} }`)
  return line.length < LINE_WIDTH ? line : lines
}

/** The rules that a contest file writes as a request does, as JSON schemas for the command line. */
export function describeContestRules(): string {
  const { freeze_time: _, enforce_languages: __, staff: ___, ...rules } = contestRules
  const schemas = Object.entries(rules).map(([name, { anyOf }]) => [name, withoutDescriptions(anyOf[0])])
  return `export const CONTEST_RULES = ${writeJson(Object.fromEntries(schemas))} as const\n`
}

function withoutDescriptions(schema: object): object {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === 'description' ? undefined : value)))
}
