import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defaultLanguagesFile, readLanguages } from '@judge-data-layer/languages'
import { startWorker } from '@judge-data-layer/worker'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { unprepared } from '../../src/db/statement.ts'
import type { Service } from '../../src/service.ts'
import { JUDGE_PASSWORD } from '../support/app.ts'
import { type ProblemService, serviceWithProblem } from '../support/judging.ts'
import { onPostgres } from '../support/needs.ts'
import { freshDatabaseVariables } from '../support/process-database.ts'
import { type ProductionService, startProductionService } from '../support/production-service.ts'

const hasPromtool = spawnSync('promtool', ['--version']).status === 0
if (!hasPromtool) console.log('promtool is not installed: the rule file is NOT checked with it.')

const scrapeFrom = async ({ metricsUrl }: Service) => (await fetch(metricsUrl ?? '')).text()

describe('the metrics', onPostgres, () => {
  let judging: ProblemService
  /** On the same database, with a metrics port; it has the only relay, and no worker. */
  let service: ProductionService
  const start = (variables: Record<string, string> = {}) =>
    startProductionService({ DATABASE_URL: judging.service.databaseUrl ?? '', ...variables })
  beforeAll(async () => {
    judging = await serviceWithProblem()
    service = await start({ METRICS_PORT: '0' })
  })
  afterAll(async () => {
    await service?.stop()
    await judging?.service.close()
  })

  const send = (path: string, init: RequestInit = {}) => fetch(service.url + path, init)

  /** Reads the value of a series, which is a name with its labels; undefined if it is absent. */
  async function read(series: string): Promise<number | undefined> {
    const lines = (await scrapeFrom(service)).split('\n')
    const line = lines.find((candidate) => candidate.startsWith(`${series} `))
    return line === undefined ? undefined : Number(line.slice(series.length + 1))
  }

  it('count requests by method, route and status, unknown routes as one', async () => {
    const id = judging.user.id
    const headers = { authorization: judging.user.token }
    for (const token of [headers, headers, {}]) await send(`/v1/users/${id}`, { headers: token })
    await send('/nowhere')
    await send('/nowhere/else')
    const count = (route: string, status: number) =>
      read(`judge_http_request_duration_seconds_count{method="GET",route="${route}",status="${status}"}`)
    // A response is counted once it has been sent.
    await expect.poll(() => count('/v1/users/:user_id', 200)).toBe(2)
    await expect.poll(() => count('/v1/users/:user_id', 401)).toBe(1)
    await expect.poll(() => count('none', 404)).toBe(2)
    expect((await send('/v1/users/%zz')).status).toBe(400)
    await expect.poll(() => count('none', 400)).toBe(1)
    expect(await scrapeFrom(service)).not.toContain(id)
  })

  it('contain the number and greatest age of outbox messages and pending submissions', async () => {
    expect(await read('judge_outbox_rows')).toBe(0)
    expect(await read('judge_pending_submissions')).toBe(0)
    const first = await judging.submit(judging.user, {})
    await judging.submit(judging.user, {})
    await judging.service.database.query(
      unprepared(`with aged as (update outbox set enqueued_at = now() - interval '1 hour')
         update submissions set queued_at = now() - interval '2 hours' where id = $1`),
      [first],
    )
    expect(await read('judge_outbox_rows')).toBe(2)
    expect(await read('judge_outbox_oldest_seconds')).toBeGreaterThanOrEqual(3600)
    expect(await read('judge_pending_submissions')).toBe(2)
    expect(await read('judge_pending_oldest_seconds')).toBeGreaterThanOrEqual(7200)
    await judging.patch(first, { status: 'ACCEPTED' })
    expect(await read('judge_pending_submissions')).toBe(1)
    expect(await read('judge_pending_oldest_seconds')).toBeLessThan(3600)
  })

  it('count connected workers, and verdicts by status', async () => {
    expect(await read('judge_workers_connected')).toBe(0)
    await judging.service.judge.put('/v1/judges/judge-1', { languages: [], concurrency: 1 }, 204)
    expect(await read('judge_workers_connected')).toBe(1)
    expect(await read('judge_verdicts_total{kind="submission",status="RUNTIME_ERROR"}')).toBe(0)
    const id = await judging.submit(judging.user, {})
    const verdict = { token: judging.service.judgeToken, body: { status: 'RUNTIME_ERROR' } }
    expect(await service.request('PATCH', `/v1/submissions/${id}`, verdict)).toMatchObject({ status: 204 })
    expect(await read('judge_verdicts_total{kind="submission",status="RUNTIME_ERROR"}')).toBe(1)
  })

  it('contain the connections of every pool, relay failures and the state of the database, also while it does not respond', async () => {
    for (const pool of ['quick', 'lists', 'bulk', 'background'])
      expect(await read(`judge_database_connections{lane="${pool}",state="waiting"}`)).toBe(0)
    expect(await read('judge_relay_failures_total{of="queue"}')).toBe(0)
    expect(await read('judge_relay_failures_total{of="database"}')).toBe(0)
    expect(await read('judge_database_up')).toBe(1)
    const text = await judging.service.database.transaction(async (tx) => {
      await tx.execute('lock table outbox in access exclusive mode')
      return scrapeFrom(service)
    })
    expect(text).toMatch(/^judge_database_up 0$/m)
    expect(text).not.toMatch(/^judge_outbox_rows /m)
    await expect.poll(() => read('judge_database_up')).toBe(1)
  })

  it('are served only at /metrics on the metrics port', async () => {
    expect((await send('/metrics')).status).toBe(404)
    expect((await fetch((service.metricsUrl ?? '').replace('/metrics', '/v1/languages'))).status).toBe(404)
    expect((await start()).metricsUrl).toBeUndefined()
  })
})

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly annotations: { readonly summary?: string; readonly action?: string }
}

const file: { groups: { rules: Rule[] }[] } = parse(
  readFileSync(new URL('../../docs/alerts.yml', import.meta.url), 'utf8'),
)
const rules = file.groups.flatMap((group) => group.rules)

/** Finds the series of an expression, except `up`. */
const findSelectors = (expr: string) =>
  [...expr.matchAll(/\b((?:judge|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, metric = '', labels = '']) => {
      const matchers = [...labels.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)]
      return {
        metric,
        matchers: matchers.map(([, label = '', operator, value]) => ({ label, operator, value })),
      }
    },
  )

/** Finds the labels in `by (…)`. */
const findGroupings = (expr: string) =>
  [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/))

/** Prometheus adds these labels to every series. */
const OF_PROMETHEUS = ['job', 'instance']

const seriesIn = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

/** Reads the series of a service after one request, and of a worker that has started. */
async function readAllSeries(): Promise<string[]> {
  const service = await startProductionService({ METRICS_PORT: '0', ...(await freshDatabaseVariables()) })
  await fetch(`${service.url}/v1/languages`)
  const worker = await startWorker({
    ...{ apiUrl: service.url, judgePassword: JUDGE_PASSWORD, sandbox: 'unsandboxed', concurrency: 1 },
    ...{ languages: await readLanguages(defaultLanguagesFile) },
    source: { consume: async () => ({ stop: async () => {} }) },
    metricsAddress: { host: '127.0.0.1', port: 0 },
  })
  const ofWorker = await (await fetch(`${worker.operatorsUrl}/metrics`)).text()
  await worker.stop()
  const scrape = () => scrapeFrom(service)
  await expect.poll(scrape).toContain('judge_http_request_duration_seconds_count{method="GET"')
  return [...seriesIn(await scrape()), ...seriesIn(ofWorker)]
}

/** Expects that each series and label of an expression exists. */
function expectSeries(lines: readonly string[], where: string, expr: string): void {
  for (const { metric, matchers } of findSelectors(expr)) {
    const series = lines.filter((line) => /^\w+/.exec(line)?.[0] === metric)
    expect(series, `${where}: ${metric}`).not.toEqual([])
    const labels = [...matchers.map(({ label }) => label), ...findGroupings(expr)]
    for (const label of labels.filter((name) => !OF_PROMETHEUS.includes(name)))
      expect(series.join('\n'), `${where}: ${metric}`).toMatch(new RegExp(`[{,]${label}="`))
    const isMeant = (line: string) =>
      matchers.every(
        ({ label, operator, value }) =>
          operator !== '=' || OF_PROMETHEUS.includes(label) || line.includes(`${label}="${value}"`),
      )
    expect(series.filter(isMeant), `${where}: ${metric} with its labels`).not.toEqual([])
  }
}

const DASHBOARDS = new URL('../../deploy/grafana/', import.meta.url)

interface Panel {
  readonly title: string
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[]
}

describe('the alerts of docs/alerts.yml and the dashboards of deploy/grafana', () => {
  it('state the fault and the action, as alerts', () => {
    expect(rules.length).toBeGreaterThanOrEqual(10)
    for (const { alert, annotations } of rules) {
      expect(annotations.summary, alert).toMatch(/\.$/)
      expect(annotations.action, alert).toMatch(/[.?]$/)
    }
  })

  it('use only metrics and labels that a running service or worker exports', async () => {
    const lines = await readAllSeries()
    for (const { alert, expr } of rules) {
      if (!expr.startsWith('up{')) expect(findSelectors(expr), alert).not.toEqual([])
      expectSeries(lines, alert, expr)
    }
    const files = readdirSync(DASHBOARDS).filter((name) => name.endsWith('.json'))
    expect(files.length).toBeGreaterThanOrEqual(2)
    for (const name of files) {
      const { panels }: { panels: Panel[] } = JSON.parse(readFileSync(new URL(name, DASHBOARDS), 'utf8'))
      for (const { title, targets } of panels)
        for (const { expr, legendFormat } of targets) {
          expect(findSelectors(expr), `${name}: ${title}`).not.toEqual([])
          expectSeries(lines, `${name}: ${title}`, expr)
          const shown = [...legendFormat.matchAll(/{{(\w+)}}/g)].map(([, label]) => label)
          const kept = [...findGroupings(expr), ...(expr.includes(' by ') ? [] : OF_PROMETHEUS)]
          expect(kept, `${name}: ${title}`).toEqual(expect.arrayContaining(shown))
        }
    }
  })

  it.runIf(hasPromtool)('are rules that promtool accepts', () => {
    const file = fileURLToPath(new URL('../../docs/alerts.yml', import.meta.url))
    expect(spawnSync('promtool', ['check', 'rules', file]).status).toBe(0)
  })
})
