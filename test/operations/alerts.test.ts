import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../../src/config/config.ts'
import { startService } from '../../src/service.ts'
import { JUDGE_PASSWORD, JWT_SIGNING_SECRET, WEB_BRIDGE_SECRET } from '../support/app.ts'
import { freshDatabaseVariables } from '../support/process-database.ts'

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly annotations: { readonly summary?: string; readonly action?: string }
}

const file: { groups: { rules: Rule[] }[] } = parse(
  readFileSync(new URL('../../docs/alerts.yml', import.meta.url), 'utf8'),
)
const rules = file.groups.flatMap((group) => group.rules)

interface Selector {
  readonly metric: string
  readonly matchers: readonly { label: string; operator: string; value: string }[]
}

/** The series of the service that an expression names. */
function findSelectors(expr: string): Selector[] {
  return [...expr.matchAll(/\b(judge_\w+)(?:\{([^}]*)\})?/g)].map(([, metric = '', labels = '']) => ({
    metric,
    matchers: [...labels.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(
      ([, label = '', operator = '', value = '']) => ({ label, operator, value }),
    ),
  }))
}

/** What `by (…)` names, all but `le`, which every histogram has. */
const findGroupings = (expr: string) =>
  [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/))

/** The text that Prometheus reads of a service that has been asked something. */
async function scrapeService(): Promise<string[]> {
  const variables = {
    ...{ JWT_SIGNING_SECRET, JUDGE_PASSWORD, WEB_BRIDGE_SECRET },
    ...{ HOST: '127.0.0.1', PORT: '0', METRICS_PORT: '0', ...(await freshDatabaseVariables()) },
  }
  const service = await startService(loadConfig(variables), pino({ level: 'silent' }))
  try {
    await fetch(`${service.url}/v1/languages`)
    const scrape = async () => (await fetch(service.metricsUrl ?? '')).text()
    await expect.poll(scrape).toContain('judge_http_request_duration_seconds_count{method="GET"')
    return (await scrape()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  } finally {
    await service.stop()
  }
}

describe('the alerts of docs/alerts.yml', () => {
  it('each say what is wrong and what to do', () => {
    expect(rules.length).toBeGreaterThanOrEqual(10)
    for (const { alert, annotations } of rules) {
      expect(annotations.summary, alert).toMatch(/\.$/)
      expect(annotations.action, alert).toMatch(/[.?]$/)
    }
  })

  it('name only metrics and labels that a running service exports', async () => {
    const lines = await scrapeService()
    for (const { alert, expr } of rules) {
      const selectors = findSelectors(expr)
      if (!expr.startsWith('up{')) expect(selectors, alert).not.toEqual([])
      for (const { metric, matchers } of selectors) {
        const series = lines.filter((line) => /^\w+/.exec(line)?.[0] === metric)
        expect(series, `${alert}: ${metric}`).not.toEqual([])
        const labels = [...matchers.map(({ label }) => label), ...findGroupings(expr)]
        for (const label of labels)
          expect(series.join('\n'), `${alert}: ${metric}`).toMatch(new RegExp(`[{,]${label}="`))
        const isMeant = (line: string) =>
          matchers.every(
            ({ label, operator, value }) => operator !== '=' || line.includes(`${label}="${value}"`),
          )
        expect(series.filter(isMeant), `${alert}: ${metric} with its labels`).not.toEqual([])
      }
    }
  })
})
