import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const read = (name: string) => readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8')

interface Container {
  readonly build?: { readonly target: string }
  readonly networks?: readonly string[]
  readonly ports?: readonly string[]
  readonly secrets?: readonly (string | { readonly source: string })[]
  readonly volumes?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: object
  readonly environment?: Readonly<Record<string, string>>
  readonly cpus?: number
  readonly mem_limit?: string
  readonly stop_grace_period?: string
  readonly logging?: { readonly options?: Readonly<Record<string, string>> }
}
interface Compose {
  readonly services: Readonly<Record<string, Container>>
  readonly networks?: object
  readonly volumes: object
  readonly secrets: object
}

const FILES = ['compose.yaml', 'compose.small.yaml']
const readCompose = (name: string): Compose => parse(read(name))
const targets = [...read('Dockerfile').matchAll(/^FROM \S+ AS (\w+)$/gm)].map(([, target]) => target)

describe.each(FILES)('%s', (file) => {
  const { services, volumes, secrets, networks = {} } = readCompose(file)
  const containers = Object.entries(services)

  it('names only secrets, volumes, networks and targets that exist', () => {
    for (const [name, container] of containers) {
      const used = (container.secrets ?? []).map((secret) =>
        typeof secret === 'string' ? secret : secret.source,
      )
      const named = (container.volumes ?? []).map((volume) => volume.split(':')[0] ?? '')
      expect(Object.keys(secrets), name).toEqual(expect.arrayContaining(used))
      expect(Object.keys(volumes), name).toEqual(
        expect.arrayContaining(named.filter((place) => !place.startsWith('.'))),
      )
      expect(Object.keys(networks), name).toEqual(expect.arrayContaining([...(container.networks ?? [])]))
      if (container.build) expect(targets).toContain(container.build.target)
    }
  })

  it('gives every container a limit of CPU, memory and its log, and a health check', () => {
    for (const [name, { cpus, mem_limit, healthcheck, build, logging }] of containers) {
      expect(cpus, name).toBeGreaterThan(0)
      expect(mem_limit, name).toMatch(/^\d+[mg]$/)
      expect(healthcheck ?? build, name).toBeDefined()
      expect(logging?.options, name).toEqual({ 'max-size': '10m', 'max-file': '5' })
    }
  })

  it('passes every secret as a file', () => {
    const values = containers.flatMap(([, { environment = {} }]) => Object.entries(environment))
    const secretValues = values.filter(([name]) => /PASSWORD|SECRET|DATABASE_URL|AMQP_URL/.test(name))
    expect(secretValues.length).toBeGreaterThan(2)
    for (const [name, value] of secretValues) {
      expect(name).toMatch(/_FILE$/)
      expect(Object.keys(secrets)).toContain(value.replace('/run/secrets/', ''))
    }
  })

  it('gives the worker what the sandbox needs', () => {
    const worker = services.worker ?? services.judge
    const unconfined = ['seccomp', 'apparmor', 'systempaths'].map((name) => `${name}=unconfined`)
    expect(worker).toMatchObject({ init: true, cap_add: ['SYS_ADMIN'], security_opt: unconfined })
  })
})

describe('compose.yaml', () => {
  const { services, networks = {} } = readCompose('compose.yaml')

  it('publishes ports of Caddy only, and keeps the worker away from the database', () => {
    expect(Object.keys(services).filter((name) => services[name]?.ports)).toEqual(['caddy'])
    const shared = services.worker?.networks?.filter((name) => services.database?.networks?.includes(name))
    expect(shared).toEqual([])
    expect(networks).toMatchObject({ data: { internal: true }, judging: { internal: true } })
  })

  it('starts each container after those that it needs are healthy', () => {
    const needed = (name: string) => Object.keys(services[name]?.depends_on ?? {})
    expect(needed('service')).toEqual(['database', 'queue'])
    expect(needed('worker')).toEqual(['service', 'queue'])
    expect(needed('caddy')).toEqual(['service'])
    for (const { depends_on = {} } of Object.values(services))
      for (const { condition } of Object.values(depends_on)) expect(condition).toBe('service_healthy')
  })
})

it('compose.small.yaml gives the worker and then the service time to stop, and publishes its port on this machine only', () => {
  const { judge } = readCompose('compose.small.yaml').services
  // 15 seconds each, and a margin.
  expect(Number.parseInt(judge?.stop_grace_period ?? '', 10)).toBeGreaterThanOrEqual(35)
  expect(judge?.ports).toEqual([`127.0.0.1:\${JUDGE_PORT:-5000}:5000`])
})

it('the worker’s image has the init that its entry point starts', () => {
  const [, init = 'none'] = /\bexec (\S+) -- .*entrypoint\.sh/.exec(read('deploy/image/entrypoint.sh')) ?? []
  const [, stage = ''] = read('Dockerfile').split(/^FROM service AS worker$/m)
  expect(stage).toMatch(new RegExp(`\\b${init}\\b`))
})

it('the build copies every folder and file that it names', () => {
  const sources = [...read('Dockerfile').matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, list = '']) =>
    list.split(' '),
  )
  expect(sources.length).toBeGreaterThan(8)
  for (const source of sources)
    expect(existsSync(fileURLToPath(new URL(`../../${source}`, import.meta.url))), source).toBe(true)
})
