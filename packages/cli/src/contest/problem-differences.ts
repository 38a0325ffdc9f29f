import type { Schemas } from '@judge-data-layer/client'
import { tidyText } from '@judge-data-layer/runtime/visible-text'
import { type Comparison, type Findings, hasStarted, type Line, toLines } from './comparison.ts'
import type { WantedProblem } from './contest-file.ts'

type Settings = Schemas['EventProblemUpdateBody']
type Found = Schemas['EventProblem']

/** Differences of the problems. */
export interface ProblemDifferences extends Findings {
  readonly imports: readonly WantedProblem[]
  readonly replacements: readonly WantedProblem[]
  /** Problems to add to an existing contest. */
  readonly added: readonly WantedProblem[]
  readonly changed: readonly { readonly eventProblemId: number; readonly settings: Settings }[]
  readonly removed: readonly Found[]
}

/** Compares the problems and their packages. */
export function compareProblems(comparison: Comparison): ProblemDifferences {
  const { wanted, lock, contest, isForced } = comparison
  const found = (problem: WantedProblem) =>
    contest?.problems.find(({ problem_id }) => problem_id === lock.problems[problem.path]?.id)
  const imports = wanted.problems.filter(({ path }) => lock.problems[path] === undefined)
  const replacements = wanted.problems.filter(
    ({ path, hash }) => lock.problems[path] !== undefined && lock.problems[path]?.package !== hash,
  )
  const added = contest === undefined ? [] : wanted.problems.filter((problem) => found(problem) === undefined)
  const pairs = wanted.problems.flatMap((problem) => {
    const current = found(problem)
    return current === undefined ? [] : [{ problem, current }]
  })
  const changes = pairs.map((pair) => ({ ...pair, settings: compareSettings(pair.problem, pair.current) }))
  const changed = changes.filter(({ settings }) => Object.keys(settings).length > 0)
  const others = findOthers(comparison)
  const removed = isForced ? others.filter(({ hidden }) => !hidden) : []
  const kept = others.filter((one) => !removed.includes(one))
  const late = hasStarted(contest) && !isForced ? replacements : []
  return {
    ...{ imports, replacements, added, removed },
    changed: changed.map(({ current, settings }) => ({ eventProblemId: current.id, settings })),
    lines: [
      ...wanted.problems.flatMap((problem) =>
        describeNew(problem, imports, contest ? added : wanted.problems),
      ),
      ...toLines('~', replacements, (one) => `problem ${nameOf(one)}: its package is replaced`),
      ...changed.map(({ problem, current, settings }) => describeSettings(problem, current, settings)),
      ...toLines('-', removed, (one) => `problem ${nameOfFound(one)}`),
    ],
    kept: kept.map(
      (one) =>
        `problem ${nameOfFound(one)}: not in the file${one.hidden ? ', and hidden' : '; --force removes'}`,
    ),
    refusals: late.map(
      (one) =>
        `The contest has started, and the package of problem ${nameOf(one)} has changed. With --force it is replaced: the new tests judge only later submissions, until you run "judge rejudge create". Or restore the package.`,
    ),
  }
}

/** The settings of a wanted problem; null: none. Without limits of its own it has the problem's. */
export function settingsOf({ label, hidden = false, position, ...others }: WantedProblem): Settings {
  const { color = null, points = null } = others
  const { accept_timeout = null, execution_timeout = null, memory_limit = null } = others
  const look = { label: label === undefined ? null : tidyText(label), color, position, points, hidden }
  return { ...look, accept_timeout, execution_timeout, memory_limit }
}

/** Problems of the contest that are not in a file that has problems. */
function findOthers({ wanted, lock, contest }: Comparison): readonly Found[] {
  if (wanted.fields.problems === undefined) return []
  const ids = wanted.problems.flatMap(({ path }) => lock.problems[path]?.id ?? [])
  return contest?.problems.filter(({ problem_id }) => !ids.includes(problem_id)) ?? []
}

function compareSettings(problem: WantedProblem, current: Found): Settings {
  const wanted = settingsOf(problem)
  const entries = Object.entries(wanted).filter(([name, value]) => {
    // The service shows the limits of the problem where the contest has none.
    const usual = name in LIMITS ? Reflect.get(current.problem, name) : null
    return (value ?? usual) !== (Reflect.get(current, name) ?? usual)
  })
  return Object.fromEntries(entries)
}

const LIMITS = { accept_timeout: 's', execution_timeout: 's', memory_limit: 'MiB' } as const

function describeNew(
  problem: WantedProblem,
  imports: readonly WantedProblem[],
  added: readonly WantedProblem[],
): Line[] {
  const isImported = imports.includes(problem)
  if (!isImported && !added.includes(problem)) return []
  const note = isImported ? '' : ', which was imported before'
  return [{ sign: '+', text: `problem ${nameOf(problem)}${note}${problem.hidden ? ' (hidden)' : ''}` }]
}

function describeSettings(problem: WantedProblem, current: Found, settings: Settings): Line {
  const show = (name: string, value: unknown) =>
    name === 'position' && typeof value === 'number' ? String(value + 1) : String(value ?? 'none')
  const changes = Object.entries(settings).map(([name, value]) => {
    const usual = name in LIMITS ? Reflect.get(current.problem, name) : undefined
    return `${name} ${show(name, Reflect.get(current, name) ?? usual)} -> ${show(name, value ?? usual)}`
  })
  return { sign: '~', text: `problem ${nameOf(problem)}: ${changes.join(', ')}` }
}

const nameOf = ({ label, path }: WantedProblem) => (label === undefined ? path : `${label.trim()} (${path})`)

const nameOfFound = ({ label, problem }: Found) =>
  label === undefined ? `"${problem.title}"` : `${label} "${problem.title}"`
