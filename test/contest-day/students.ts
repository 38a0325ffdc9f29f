import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createJudgeClient, type JudgeClient } from '@judge-data-layer/client'
import { JudgeApiError, orThrow } from '@judge-data-layer/client/errors'
import { waitForVerdict } from '@judge-data-layer/client/waiting'

/** The account of a student, from the slips. */
export type Credential = Readonly<Record<'name' | 'email' | 'password', string>>

/** A submission as its author saw it, with the verdict that the program deserves. */
type Sent = Readonly<Record<'id' | 'author' | 'label' | 'deserved', string>>

type Program = Readonly<Record<'extension' | 'source' | 'verdict', string>>

/** A contest with programs for its problems. */
interface Contest {
  readonly url: string
  readonly eventId: number
  readonly startMs: number
  readonly endMs: number
  readonly programs: ReadonlyMap<string, readonly Program[]>
}

const EXTENSIONS = ['js', 'py']
const FOLDERS = { accepted: 'ACCEPTED', wrong_answer: 'WRONG_ANSWER' } as const
/** Nobody begins a submission in the last part of the contest. */
const LAST_SHARE = 0.9

/** Reads the right and wrong programs of the packages, by the labels of their problems. */
export async function readPrograms(packages: ReadonlyMap<string, string>): Promise<Contest['programs']> {
  const entries = [...packages].map(async ([label, folder]) => {
    const programs: Program[] = []
    for (const [name, verdict] of Object.entries(FOLDERS))
      for (const file of (await readdir(`${folder}/submissions/${name}`)).sort()) {
        const extension = file.split('.').at(-1) ?? ''
        const source = await readFile(`${folder}/submissions/${name}/${file}`, 'utf8')
        if (EXTENSIONS.includes(extension)) programs.push({ extension, source, verdict })
      }
    return [label, programs] as const
  })
  return new Map(await Promise.all(entries))
}

export type Class = ReturnType<typeof openClass>

/**
 * Starts all students. Each submits two programs, every sixteenth asks a question. `finished` waits
 * until all have got their verdicts.
 */
export function openClass(contest: Contest, credentials: readonly Credential[]) {
  const sent: Sent[] = []
  const all = credentials.map((credential, place) => takePart(contest, credential, place, sent))
  const finished = Promise.all(all)
  // The error is reported where the test waits for the class.
  finished.catch(() => undefined)
  return { sent, finished }
}

async function takePart(contest: Contest, { email, password }: Credential, place: number, sent: Sent[]) {
  const { url, eventId: event_id, startMs, endMs, programs } = contest
  const client = createJudgeClient({ baseUrl: url })
  const { id: user_id, token } = await patiently(() =>
    orThrow(client.POST('/v1/basic_login', { body: { email, password } })),
  )
  client.setToken(token)
  await pause(startMs - Date.now())
  const params = { path: { event_id } }
  await untilRunning(() => patiently(() => orThrow(client.GET('/v1/events/{event_id}/clock', { params }))))
  const problems = await patiently(() => orThrow(client.GET('/v1/events/{event_id}/problems', { params })))
  const languages = await patiently(() => orThrow(client.GET('/v1/languages')))
  if (place % 16 === 0) await patiently(() => ask(client, event_id, place))
  const verdicts: Promise<unknown>[] = []
  const working = (endMs - startMs) * LAST_SHARE
  for (const turn of [0, 1]) {
    const problem = problems[(place + turn * 2) % problems.length]
    const choices = (programs.get(problem?.label ?? '') ?? []).flatMap((program) => {
      const language = languages.find(({ extension }) => extension === program.extension)
      // Not every machine has Python.
      return language?.available ? [{ ...program, language_id: language.id }] : []
    })
    const program = choices[(place * 3 + turn) % choices.length]
    if (problem === undefined || program === undefined)
      throw new Error(`nothing to submit for problem ${problem?.label}`)
    await pause(startMs + (working * (turn + ((place * 7) % 80) / 80)) / 2 - Date.now())
    const { problem_id, label = '' } = problem
    const { language_id, source: source_code } = program
    const own = { user_id, event_id, problem_id, language_id, source_code }
    const { id } = await patiently(() => orThrow(client.POST('/v1/submissions', { body: own })))
    sent.push({ id, author: user_id, label, deserved: program.verdict })
    verdicts.push(waitForVerdict(client, id, { timeoutMs: 600_000, maxDelayMs: 2000 }))
  }
  await Promise.all(verdicts)
}

/** The clock of this process may be a little before that of the service. */
async function untilRunning(readClock: () => Promise<{ readonly state: string }>): Promise<void> {
  while ((await readClock()).state === 'scheduled') await pause(200)
}

const REFUSED = [429, 503]
const MOST_TRIES = 20

/** As clients should: sends a request again when the service asks for it. */
async function patiently<T>(send: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await send()
    } catch (err) {
      const isRefused = err instanceof JudgeApiError && REFUSED.includes(err.status)
      if (!isRefused || tries === MOST_TRIES) throw err
      await pause((err.retryAfterSeconds ?? 1) * 1000)
    }
  }
}

function ask(client: JudgeClient, event_id: number, place: number) {
  const body = { question: `Does an empty line end the input? I sit in row ${place / 16 + 1}.` }
  return orThrow(client.POST('/v1/events/{event_id}/questions', { params: { path: { event_id } }, body }))
}
