import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { JudgingLimits, ProgramValidation } from '../judging-options.ts'
import type { Logger } from '../logger.ts'
import { CompileError, LanguageNotInstalled, type Task, withCompiledFolder } from '../program.ts'
import { MIB } from '../worker-settings.ts'
import { copyFiles } from './copy-files.ts'
import { JudgeError } from './judge-error.ts'
import { isOwnName, makeValidatorTask, type ValidatorSetup } from './validator-program.ts'

export interface ValidatorStoreOptions extends ValidatorSetup {
  /** An empty folder that only the worker can enter. */
  readonly folder: string
  /** Ends compilations. */
  readonly signal: AbortSignal
  readonly logger: Logger
}

/** A compiled validator. */
export interface StoredValidator {
  readonly task: Task
  /** Its files, which nothing changes. */
  readonly folder: string
}

interface Kept {
  readonly folder: string
  readonly compiled: Promise<number>
  /** The size of its files; 0 before the end of the compilation. */
  bytes: number
  users: number
}

const MOST_VALIDATORS = 64
const MOST_BYTES = 1024 * MIB

/** Compiles each validator once and keeps its files on disk, by their content. */
export class ValidatorStore {
  readonly #options: ValidatorStoreOptions
  /** By content, the least recently used first. */
  readonly #kept = new Map<string, Kept>()
  #count = 0

  constructor(options: ValidatorStoreOptions) {
    this.#options = options
  }

  /**
   * Calls `use` with a problem's compiled validator. Throws `JudgeError` if it cannot be compiled,
   * `SandboxFailure`, the reason of the signal, or like `use`.
   */
  async withValidator<T>(
    validation: ProgramValidation,
    limits: JudgingLimits | undefined,
    use: (validator: StoredValidator) => Promise<T>,
  ): Promise<T> {
    const task = makeValidatorTask(this.#options, validation, limits, this.#options.signal)
    const key = hashContent(validation, limits)
    const kept = this.#kept.get(key) ?? this.#start(task)
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    kept.users += 1
    try {
      kept.bytes = await kept.compiled
      return await use({ task, folder: kept.folder })
    } catch (err) {
      // A failed compilation is tried again for the next submission.
      await kept.compiled.catch(() => this.#drop(key, kept))
      throw err
    } finally {
      kept.users -= 1
      await this.#dropOldest()
    }
  }

  #start(task: Task): Kept {
    this.#count += 1
    const folder = join(this.#options.folder, String(this.#count))
    const compiled = compileInto(folder, task, this.#options.compile.folderMib * MIB)
    // Each user handles the failure.
    compiled.catch(() => {})
    return { folder, compiled, bytes: 0, users: 0 }
  }

  async #dropOldest(): Promise<void> {
    for (const [key, kept] of this.#kept) {
      const bytes = [...this.#kept.values()].reduce((sum, one) => sum + one.bytes, 0)
      if (this.#kept.size <= MOST_VALIDATORS && bytes <= MOST_BYTES) return
      if (kept.users === 0) await this.#drop(key, kept)
    }
  }

  async #drop(key: string, kept: Kept): Promise<void> {
    if (this.#kept.get(key) === kept) this.#kept.delete(key)
    await rm(kept.folder, { recursive: true, force: true }).catch((err: unknown) =>
      this.#options.logger.warn({ err }, 'a compiled validator cannot be deleted'),
    )
  }
}

/** Compiles in the sandbox and copies the files to the new folder `target`. Returns their size. */
async function compileInto(target: string, task: Task, maxBytes: number): Promise<number> {
  try {
    return await withCompiledFolder(task, (folder) =>
      copyFiles(folder, target, { maxBytes, isOmitted: isOwnName }),
    )
  } catch (err) {
    if (err instanceof CompileError) throw new JudgeError(`the validator does not compile: ${err.message}`)
    if (err instanceof LanguageNotInstalled) throw new JudgeError(`the validator cannot run: ${err.message}`)
    throw err
  }
}

/** The same content compiles to the same program under the same limits. */
function hashContent(validation: ProgramValidation, limits: JudgingLimits | undefined): string {
  const { files, language, build, run } = validation
  const { compilationSeconds, compilationMib } = limits ?? {}
  const content = JSON.stringify([files, language, build, run, compilationSeconds, compilationMib])
  return createHash('sha256').update(content).digest('hex')
}
