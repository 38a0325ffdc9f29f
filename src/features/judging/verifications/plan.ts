import type { Rule } from '@judge-data-layer/problem-format/expectations'
import type { JudgedGroup } from '@judge-data-layer/problem-format/group-scores'
import { PackageError } from '@judge-data-layer/problem-format/package-files'
import type { PackageLimits } from '@judge-data-layer/problem-format/read-package'
import { v7 as uuidv7 } from 'uuid'

/** What a verification judges and compares the results with. The service stores it as JSON. */
export interface Plan {
  /** The problem's limit of CPU time, in seconds. */
  readonly limit: { readonly seconds: number; readonly provisional: boolean }
  /** The version of the test cases, limits and groups. */
  readonly tests_version: string
  /** The names of the test cases by their ids: they may change or be deleted later. */
  readonly case_names: Readonly<Record<string, string>>
  readonly max_score?: number
  readonly groups?: readonly JudgedGroup[]
  readonly package_limits: PackageLimits
  readonly programs: readonly PlannedProgram[]
  readonly validators: readonly PlannedValidator[]
}

interface Planned {
  readonly path: string
  /** The id of the shadow judging. Absent: `message` says why there is none. */
  readonly judging?: string
  readonly message?: string
}

export interface PlannedProgram extends Planned {
  readonly language?: string
  readonly expected: string
  readonly rules: readonly Rule[]
  /** The factor of its language for time limits. */
  readonly factor: number
}

export interface PlannedValidator extends Planned {
  readonly kind: 'input' | 'answer'
}

/** A shadow judging of a plan. */
export interface PlannedJudging {
  readonly id: string
  readonly language_id: string
  readonly source_code: string
  /** What the record shows judges beside the program. */
  readonly task: object
}

const MOST_JUDGINGS = 1000
const MOST_BYTES = 32 * 1024 * 1024

const FULL = `A verification judges at most ${MOST_JUDGINGS} programs and validators of at most ${MOST_BYTES / 1024 / 1024} MiB together`

type NewJudging = Omit<PlannedJudging, 'id'>

type Added = { readonly judging: string } | { readonly message: string }

/** The judgings of a verification. Its bounds limit the memory of the request. */
export class JudgingList {
  readonly #judgings: PlannedJudging[] = []
  #bytes = 0

  get all(): readonly PlannedJudging[] {
    return this.#judgings
  }

  /** Why there is no room for `bytes` more; undefined if there is. */
  #explainFull(bytes: number): string | undefined {
    const fits = this.#judgings.length < MOST_JUDGINGS && this.#bytes + bytes <= MOST_BYTES
    return fits ? undefined : FULL
  }

  /**
   * Describes a judging of `bytes`, if there is room for it, and adds it. Returns its id, or the
   * reason why there is none, which may be the message of a `PackageError`.
   */
  async plan(bytes: number, describe: () => Promise<NewJudging | string>): Promise<Added> {
    const described = this.#explainFull(bytes) ?? (await describe().catch(explainFault))
    return typeof described === 'string' ? { message: described } : this.add(described)
  }

  /** Adds a judging. Returns its id, or the reason why there is none. */
  add(planned: NewJudging): Added {
    const bytes = Buffer.byteLength(planned.source_code) + Buffer.byteLength(JSON.stringify(planned.task))
    const message = this.#explainFull(bytes)
    if (message !== undefined) return { message }
    const id = uuidv7()
    this.#judgings.push({ id, ...planned })
    this.#bytes += bytes
    return { judging: id }
  }
}

function explainFault(err: unknown): string {
  if (err instanceof PackageError) return err.message
  throw err
}
