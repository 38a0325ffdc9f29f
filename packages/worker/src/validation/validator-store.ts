import { createHash } from 'node:crypto'
import { chmod, copyFile, lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CompileError, LanguageNotInstalled, type Task, withCompiledFolder } from '../programs/program.ts'
import { CommandFailure } from '../sandbox/sandbox.ts'
import type { JudgingLimits, ValidatorProgram } from '../service/judging-options.ts'
import type { Logger } from '../shared/logger.ts'
import { MIB } from '../shared/worker-settings.ts'
import { JudgeError } from './judge-error.ts'
import { isOwnName, makeValidatorTask, type ValidatorSetup } from './validator-program.ts'

export interface ValidatorStoreOptions extends ValidatorSetup {
  /** An empty folder that only the worker can enter. */
  readonly folder: string
  readonly signal: AbortSignal
  readonly logger: Logger
  readonly now?: () => number
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
  /** When the compilation failed, if the validator is at fault. */
  failedAtMs?: number
}

const MOST_VALIDATORS = 64
const MOST_BYTES = 1024 * MIB
/** How long a failed compilation stands, so that many submissions do not repeat it. */
const FAILURE_MS = 60_000
const LONGEST_PATH = 2048
const FOLDER_MODE = 0o755
const EXECUTABLE_BITS = 0o111

/** Compiles each validator once and keeps its files on disk, by their content. */
export class ValidatorStore {
  readonly #options: ValidatorStoreOptions
  /** By content, the least recently used first. */
  readonly #kept = new Map<string, Kept>()
  readonly #now: () => number
  #count = 0

  constructor(options: ValidatorStoreOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  /**
   * Calls `use` with a problem's compiled validator. Throws `JudgeError` if it cannot be compiled,
   * `SandboxFailure`, the reason of the signal, or like `use`.
   */
  async withValidator<T>(
    validation: ValidatorProgram,
    limits: JudgingLimits | undefined,
    use: (validator: StoredValidator) => Promise<T>,
  ): Promise<T> {
    const task = makeValidatorTask(this.#options, validation, limits, this.#options.signal)
    const key = hashContent(validation, limits)
    const kept = this.#find(key) ?? this.#start(task)
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    kept.users += 1
    try {
      kept.bytes = await kept.compiled
      return await use({ task, folder: kept.folder })
    } catch (err) {
      await kept.compiled.catch((failure: unknown) => this.#noteFailure(key, kept, failure))
      throw err
    } finally {
      kept.users -= 1
      await this.#dropOldest()
    }
  }

  #find(key: string): Kept | undefined {
    const kept = this.#kept.get(key)
    const isOver = kept?.failedAtMs !== undefined && this.#now() - kept.failedAtMs >= FAILURE_MS
    return isOver ? undefined : kept
  }

  /** After a failure that is not the validator's, the next submission compiles again. */
  async #noteFailure(key: string, kept: Kept, failure: unknown): Promise<void> {
    if (!(failure instanceof JudgeError)) return this.#drop(key, kept)
    kept.failedAtMs ??= this.#now()
    await this.#removeFiles(kept)
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
    await this.#removeFiles(kept)
  }

  async #removeFiles(kept: Kept): Promise<void> {
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
    if (err instanceof LanguageNotInstalled || err instanceof CommandFailure)
      throw new JudgeError(`the validator cannot run: ${err.message}`)
    throw err
  }
}

/**
 * Copies the files and folders in `source`, no links, devices or pipes, to the new folder `target`,
 * where any user may read them. Leaves out names in `source` for which `isOmitted`. Returns the
 * size in bytes. Throws `JudgeError` above `maxBytes` and for paths that are too long.
 */
async function copyFiles(
  source: string,
  target: string,
  { maxBytes, isOmitted }: { maxBytes: number; isOmitted: (name: string) => boolean },
): Promise<number> {
  let bytes = 0
  const copyFolder = async (from: string, to: string, names: readonly string[]) => {
    await mkdir(to, { mode: FOLDER_MODE })
    for (const name of names) {
      const [path, copy] = [join(from, name), join(to, name)]
      if (path.length > LONGEST_PATH) throw new JudgeError('the paths of its files are too long')
      const info = await lstat(path)
      if (info.isDirectory()) await copyFolder(path, copy, await readdir(path))
      if (!info.isFile()) continue
      // Files with holes and hard links can have more bytes than their file system.
      bytes += info.size
      if (bytes > maxBytes) throw new JudgeError('its files are too large')
      await copyFile(path, copy)
      await chmod(copy, info.mode & EXECUTABLE_BITS ? 0o755 : 0o644)
    }
  }
  const names = (await readdir(source)).filter((name) => !isOmitted(name))
  await copyFolder(source, target, names)
  return bytes
}

/** The same content compiles to the same program under the same limits. */
function hashContent(validation: ValidatorProgram, limits: JudgingLimits | undefined): string {
  const { files, language, build, run } = validation
  const { compilation_time, compilation_memory } = limits ?? {}
  const content = JSON.stringify([files, language, build, run, compilation_time, compilation_memory])
  return createHash('sha256').update(content).digest('hex')
}
