import type { JudgeClient, Schemas } from '@judge-data-layer/client'
import { JudgeApiError, NoResponseError, orThrow } from '@judge-data-layer/client/errors'
import { choosePause } from '../shared/poll.ts'
import { isRefusal } from '../shared/request.ts'
import type { Language } from './contest-data.ts'

export type NewSubmission = Schemas['SubmissionBody']

export interface SubmitOptions {
  /** Called before a pause, with its seconds. */
  readonly onWait: (seconds: number, err: unknown) => void
  readonly pause: (ms: number) => Promise<void>
  /** The same for all attempts to send one submission. */
  readonly key: string
}

const RETRY_MS = 1000

/**
 * Submits once: it sends again after failures that may pass, with the same key, so that the service
 * never stores two. Throws a refusal.
 */
export async function submitOnce(
  client: JudgeClient,
  body: NewSubmission,
  { key, onWait, pause }: SubmitOptions,
): Promise<string> {
  for (let failures = 1; ; failures += 1) {
    try {
      const params = { header: { 'Idempotency-Key': key } }
      return (await orThrow(client.POST('/v1/submissions', { body, params }))).id
    } catch (err) {
      if (!mayPass(err)) throw err
      const pauseMs = choosePause(err, failures, RETRY_MS)
      onWait(Math.ceil(pauseMs / 1000), err)
      await pause(pauseMs)
    }
  }
}

const mayPass = (err: unknown) =>
  (err instanceof NoResponseError || err instanceof JudgeApiError) && !isRefusal(err)

/** The languages of a contest: those that it allows, or all. */
export function languagesOf(
  all: readonly Language[],
  event: Pick<Schemas['PublicEvent'], 'languages' | 'enforce_languages'> | undefined,
): readonly Language[] {
  if (event?.enforce_languages !== true) return all
  return all.filter(({ id }) => event.languages.includes(id))
}

/** The language of a file by its extension; the one that is chosen already goes first. */
export function languageOfFile(
  name: string,
  languages: readonly Language[],
  chosenId: string,
): Language | undefined {
  const extension = name.split('.').at(-1)?.toLowerCase()
  const fitting = languages.filter((language) => language.extension.toLowerCase() === extension)
  return fitting.find(({ id }) => id === chosenId) ?? fitting[0]
}
