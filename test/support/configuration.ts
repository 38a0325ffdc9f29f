import { expect } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { ConfigError } from '../../src/config/start-error.ts'

export const secrets = {
  JWT_SIGNING_SECRET: 'a signing secret, long enough',
  JUDGE_PASSWORD: 'a judge password, long enough',
  WEB_BRIDGE_SECRET: 'a bridge secret, long enough',
}

export const load = (variables: Record<string, string> = {}) => loadConfig({ ...secrets, ...variables })

/** Returns the lines of the refusal, without its first line. */
export function refusalOf(variables: Record<string, string>): string[] {
  try {
    loadConfig(variables)
  } catch (err) {
    expect(err).toBeInstanceOf(ConfigError)
    const [head, ...lines] = String(Object(err).message).split('\n')
    expect(head).toBe('The configuration is not usable:')
    return lines.map((line) => line.replace(/^ {2}- /, ''))
  }
  throw new Error('the configuration was accepted')
}
