import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { listTree } from '../../tools/local-servers/process-tree.ts'
import { startLocalService } from '../../tools/local-servers/service.ts'
import { ROOT } from '../../tools/local-servers/submitter.ts'
import { findSupervised, type Supervised } from '../../tools/local-servers/supervised.ts'
import { JUDGE_PASSWORD, JWT_SIGNING_SECRET, WEB_BRIDGE_SECRET } from './app.ts'
import { closeLater } from './cleanup.ts'
import { until } from './until.ts'

/** `npm start -- --judge` as a process. */
export interface JudgeMode {
  readonly url: string
  readonly log: readonly string[]
  readonly pid: number
  /** The processes now; undefined while one is down. */
  find(of: Supervised): number | undefined
  /** The processes of the service, the worker and its programs. */
  listChildren(): number[]
  /** Sends a signal to the parent and waits for its end; resolves to the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts it and waits until the worker takes messages; it ends with the test or the file. */
export async function startJudgeMode(variables: Record<string, string>): Promise<JudgeMode> {
  const judging = await startServing(variables)
  await until(() => expect(judging.log.join('\n')).toContain('the judge worker has started'))
  return judging
}

/** Starts it and waits until the service responds, with or without a worker. */
export async function startServing(variables: Record<string, string>): Promise<JudgeMode> {
  const log: string[] = []
  const onLine = (line: string) => void log.push(line)
  const args = ['--judge']
  const server = await startLocalService({ variables: { ...SETTINGS, ...variables }, args, onLine })
  closeLater(server.stop)
  const listChildren = () =>
    listTree(server.pid)
      .map(({ pid }) => pid)
      .filter((pid) => pid !== server.pid)
  const find = (of: Supervised) => findSupervised(server.pid, of)
  return { url: server.url, pid: server.pid, log, find, listChildren, end: (signal) => server.end(signal) }
}

/** The settings of a start, without a database. */
export const SETTINGS = {
  ...{ JWT_SIGNING_SECRET, JUDGE_PASSWORD, WEB_BRIDGE_SECRET, WORKER_CONCURRENCY: '1' },
  ...{ BASIC_REGISTRATION_ENABLED: 'true', ADMIN_EMAILS: ROOT.email },
}

/** A file of a process under /proc; empty if the process has ended. */
export function readProc(pid: number, file: 'cmdline' | 'environ' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
