import { expect } from 'vitest'
import { findSupervised, listTree, type Supervised } from '../../tools/local-servers/process-tree.ts'
import { startLocalService } from '../../tools/local-servers/service.ts'
import { ROOT } from '../../tools/local-servers/submitter.ts'
import { SECRETS } from './app.ts'
import { closeLater } from './cleanup.ts'
import { until } from './until.ts'

/** Runs `npm start -- --judge` until the worker takes messages; it ends with the test or file. */
export async function startJudgeMode(variables: Record<string, string>) {
  const judging = await startServing(variables)
  await until(() => expect(judging.log.join('\n')).toContain('the judge worker has started'))
  return judging
}

/** Starts it and waits until the service responds, with or without a worker. */
export async function startServing(variables: Record<string, string>) {
  const log: string[] = []
  const onLine = (line: string) => void log.push(line)
  const all = { ...SETTINGS, ...variables }
  const server = await startLocalService({ variables: all, args: ['--judge'], onLine })
  const { url, pid: parent, stop, end } = server
  closeLater(stop)
  return {
    ...{ url, pid: parent, log, end },
    listChildren: () => listTree(parent).flatMap(({ pid }) => (pid === parent ? [] : [pid])),
    /** The process now; undefined while it is down. */
    find: (of: Supervised) => findSupervised(parent, of),
  }
}

export type JudgeMode = Awaited<ReturnType<typeof startServing>>

export const SETTINGS = {
  ...{ ...SECRETS, WORKER_CONCURRENCY: '1' },
  ...{ BASIC_REGISTRATION_ENABLED: 'true', ADMIN_EMAILS: ROOT.email },
}
