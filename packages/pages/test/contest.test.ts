import { createJudgeClient } from '@judge-data-layer/client'
import { describe, expect, it } from 'vitest'
import { findNews } from '../browser/contest/news.ts'
import { parseStatement } from '../browser/contest/parse-statement.ts'
import { keyOf, type MathElement } from '../browser/contest/parsed-statement.ts'
import { findFile, withoutStatement } from '../browser/contest/problem-files.ts'
import { languageOfFile, languagesOf, submitOnce } from '../browser/contest/submit.ts'
import * as contestClock from '../browser/shared/contest-clock.ts'
import { formatTime } from '../browser/shared/format-time.ts'

const { formatDuration, hasEndedSince, relateClocks, serviceNow, viewClock } = contestClock
const times = {
  now: '2026-01-01T10:00:00Z',
  state: 'frozen' as const,
  start_time: '2026-01-01T10:00:00Z',
  end_time: '2026-01-01T12:00:00Z',
}
const at = (text: string) => Date.parse(`2026-01-01T${text}Z`)

describe('the clock', () => {
  it.each([
    ['09:00:00', 'before', 'Starts in', '1:00:00'],
    ['10:00:00', 'running', 'Time left', '2:00:00'],
    ['11:59:59.500', 'running', 'Time left', '0:00:01'],
    ['12:00:00', 'over', 'Time is up', ''],
  ])('at %s is %s', (now, phase, label, time) => {
    expect(viewClock(times, at(now))).toEqual({ phase, label, time })
  })

  it('goes on until the own end', () => {
    expect(viewClock(times, at('12:10:00'), '2026-01-01T12:30:00Z').time).toBe('0:20:00')
  })

  const read = { ...times, now: '2026-01-01T12:00:00Z' }
  const late = { ...read, extra_time: true as const }
  const OWN_END = '2026-01-01T12:30:00Z'
  it.each([
    ['ended before it began', { ...times, end_time: times.start_time }, '09:00:00', undefined, 'Cancelled'],
    ['has ended for some', late, '12:00:01', undefined, 'Ended; some have extra time'],
    ['has ended for all', read, '12:00:01', undefined, 'Ended'],
    // Read before the own end, it may have ended for others or not.
    ['has reached the own end', { ...late, now: '2026-01-01T12:29:00Z' }, '12:30:00', OWN_END, 'Time is up'],
  ] as const)('says that a contest %s', (_, clock, now, ownEnd, label) => {
    expect(viewClock(clock, at(now), ownEnd)).toEqual({ phase: 'over', label, time: '' })
  })

  it('is read again once the end has passed', () => {
    expect(hasEndedSince(times, at('11:59:59.999'))).toBe(false)
    expect(hasEndedSince(times, at('12:00:00'))).toBe(true)
    expect(hasEndedSince({ ...times, now: times.end_time }, at('12:00:01'))).toBe(false)
  })
})

it('the time of the service goes on with the local monotonic clock, from the middle of the request', () => {
  const related = relateClocks('2026-01-01T10:00:00Z', 1000, 1200)
  expect(serviceNow(related, 1100)).toBe(at('10:00:00'))
  expect(serviceNow(related, 61_100)).toBe(at('10:01:00'))
})

it.each([
  [999, '0:00:01'],
  [3_600_000, '1:00:00'],
  [47 * 3_600_000, '47:00:00'],
  [100 * 3_600_000, '4 days 4:00:00'],
])('writes %i ms as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

it('a time names the zone, and counts 24 hours from 00', () => {
  expect(formatTime('2026-01-10T18:38:02Z', { zone: 'UTC' })).toBe('18:38:02 UTC')
  expect(formatTime('2026-01-10T00:05:00Z', { zone: 'UTC', withSeconds: false })).toBe('00:05 UTC')
  expect(formatTime('2026-01-10T18:38:02Z', { zone: 'Asia/Kathmandu' })).toBe('00:23:02 GMT+5:45')
})

const language = (id: string, extension: string) => ({ id, name: id, extension, version: '1' })
const languages = [language('python-2', 'py'), language('python-3', 'py'), language('java', 'java')]

describe('the languages', () => {
  it('are the languages of the contest if it enforces them', () => {
    expect(languagesOf(languages, { languages: ['java'], enforce_languages: true })).toEqual([languages[2]])
    expect(languagesOf(languages, { languages: ['java'] })).toEqual(languages)
  })

  it.each([
    ['main.py', 'java', 'python-2'],
    ['main.PY', 'python-3', 'python-3'],
    ['Main.java', '', 'java'],
    ['notes.txt', 'java', undefined],
  ])('of %s, with %s chosen, is %s', (name, chosen, id) => {
    expect(languageOfFile(name, languages, chosen)?.id).toBe(id)
  })
})

describe('submitting', () => {
  const body = { user_id: 'u', problem_id: 1, language_id: 'l', source_code: 'x' }
  const ok = () => Response.json({ id: 'one' }, { status: 201 })
  const refused = (status: number, headers: Record<string, string>) => () =>
    Response.json({ error: 'No', code: 'UNAVAILABLE', message: 'No' }, { status, headers })
  const lost = () => {
    throw new TypeError('lost')
  }

  async function submit(answers: (() => Response)[]) {
    const keys: (string | null)[] = []
    const pauses: number[] = []
    const fetch = async (request: Request) => {
      keys.push(request.headers.get('idempotency-key'))
      return (answers.shift() ?? ok)()
    }
    const client = createJudgeClient({ baseUrl: 'http://service.example', fetch })
    const options = { key: 'a key', onWait: () => {}, pause: async (ms: number) => void pauses.push(ms) }
    const outcome = await submitOnce(client, body, options).catch((err: Error) => err.message)
    return { outcome, keys, pauses }
  }

  it('repeats with the same key after a lost response, an overload and a limit', async () => {
    const answers = [lost, refused(503, { 'retry-after': '5' }), refused(429, { 'retry-after': '60' })]
    const result = await submit(answers)
    expect(result).toEqual({ outcome: 'one', keys: Array(4).fill('a key'), pauses: [1500, 5000, 60_000] })
  })

  it('does not repeat what the service refuses', async () => {
    expect(await submit([refused(403, {})])).toMatchObject({ outcome: 'No', keys: ['a key'] })
  })
})

describe('news', () => {
  const reader = { userId: 'me', problems: [] }
  const submission = (status: string, more = {}) => {
    return { id: 's', status, problem_id: 1, problem: { title: 'Twice' }, ...more }
  }
  const question = (fields: object) => {
    return { id: 'q', user_id: 'me', is_answered: false, updated_at: '1', ...fields }
  }
  type Submissions = ReturnType<typeof submission>[]
  const state = (submissions?: Submissions, questions?: ReturnType<typeof question>[]) => {
    return { submissions, questions }
  }

  it('are verdicts of submissions that were pending', () => {
    const [pending, accepted] = [state([submission('PENDING')]), state([submission('ACCEPTED')])]
    expect(findNews(pending, accepted, reader)).toEqual(['Twice: Accepted'])
    const finer = submission('WRONG_ANSWER', { reason: 'PRESENTATION_ERROR' })
    expect(findNews(pending, state([finer]), reader)).toEqual(['Twice: Wrong answer (presentation error)'])
    expect(findNews(state(), accepted, reader)).toEqual([])
    expect(findNews(accepted, accepted, reader)).toEqual([])
  })

  it('are answers and announcements that are new since the first reading', () => {
    const asked = state([], [question({})])
    const answer = { is_answered: true, answer: 'So.', updated_at: '2' }
    const answered = state([], [question(answer)])
    expect(findNews(asked, answered, reader)).toEqual(['Your question was answered: So.'])
    const announced = { ...answer, user_id: 'staff', is_announcement: true }
    expect(findNews(asked, state([], [question(announced)]), reader)).toEqual(['Announcement: So.'])
    expect(findNews(state(), answered, reader)).toEqual([])
  })
})

it.each([
  ['plot.png', 'plot.png'],
  ['./plot.png', 'plot.png'],
  ['statement/plot.png', 'plot.png'],
  ['a%20b.png', 'a b.png'],
  ['%', undefined],
  ['https://attacker.example/plot.png', undefined],
])('a statement that names %s means the file %s', (reference, name) => {
  const file = (known: string) => ({ name: known, path: `statement/${known}`, bytes: 1, type: 'image/png' })
  expect(findFile(['plot.png', 'a b.png'].map(file), reference)?.name).toBe(name)
})

const NO_STATEMENTS = ['attachments/problem.en.md', 'statement/problem.en.pdf']
it.each([
  [['statement/problem.en.md', 'statement/dot.png'], ['statement/dot.png']],
  [['statement/problem.de.md', 'statement/problem.en.tex'], ['statement/problem.de.md']],
  [['statement/problem.de.md', 'statement/problem.fr.md'], ['statement/problem.fr.md']],
  [NO_STATEMENTS, NO_STATEMENTS],
])('of the files %j the page lists %j beside the statement', (paths, listed) => {
  const files = paths.map((path) => ({ name: path, path, bytes: 1, type: 'text/plain' }))
  expect(withoutStatement(files).map(({ path }) => path)).toEqual(listed)
})

describe('a statement', () => {
  it('is HTML, and its formulas are MathML as data; a faulty one is absent', () => {
    const { html = '', formulas } = parseStatement('**n** is $n$ or $\\frac{$\n\n$$n$$\n') ?? {}
    expect(html).toBe(
      '<p><strong>n</strong> is <span class="statement-math">n</span> or <span class="statement-math">\\frac{</span></p>\n<span class="statement-math display">n</span>\n',
    )
    const math = (display: boolean): MathElement => ({
      tag: 'math',
      attributes: display ? { display: 'block', class: 'tml-display' } : {},
      styles: display ? { display: 'block math' } : {},
      children: [{ tag: 'mi', attributes: {}, styles: {}, children: ['n'] }],
    })
    expect([...(formulas ?? [])]).toEqual([
      [keyOf('n', false), math(false)],
      [keyOf('n', true), math(true)],
    ])
  })

  it.each([
    ['tags', '<p>'.repeat(20_000)],
    ['open formatting with attributes', Array.from({ length: 51 }, (_, i) => `<b x=${i}>`).join('')],
    ['characters', `${'[x][y]\n'.repeat(600)}\n[y]: https://x.example/${'x'.repeat(2000)}\n`],
  ])('with too many %s has no HTML for the page', (_, text) => {
    expect(parseStatement(text)).toBeUndefined()
    expect(parseStatement(text.slice(0, text.length / 2))).toBeDefined()
  })

  it('may have many programs, whose languages are no attributes', () => {
    const { html } = parseStatement('```cpp\nint x;\n```\n'.repeat(60)) ?? {}
    expect(html).toMatch(/^<pre><code>int x;\n<\/code><\/pre>/)
  })

  it('has only formulas that are small enough', () => {
    const { formulas } = parseStatement(`$${'x'.repeat(60_000)}$ $${'{'.repeat(5000)}$ $y$`) ?? {}
    expect([...(formulas?.keys() ?? [])]).toEqual([keyOf('y', false)])
  })
})
