import type { Logger } from '../shared/logger.ts'
import { createProgramFolder, type FolderOptions, type ProgramFolder } from './program-folder.ts'
import { SandboxFailure } from './sandbox.ts'

/** The folders of running programs, each with its own user. */
export interface Slots {
  /** Makes the folder of a new slot and returns its path. Throws `SandboxFailure`. */
  claim(): Promise<string>
  /** The folder of a slot. Throws `SandboxFailure` if it has vanished. */
  find(path: string): ProgramFolder
  /** Frees a slot immediately and deletes its folder in the background. */
  release(path: string): void
  /** Resolves after all folders are deleted. */
  close(): Promise<void>
}

export interface SlotsOptions {
  /** The first user id of the slots; undefined if programs run as the worker's user. */
  readonly firstUserId: number | undefined
  /** Called for each folder. */
  readonly folderOptions: () => Promise<Omit<FolderOptions, 'userId'>>
  readonly logger: Logger
}

export function createSlots({ firstUserId, folderOptions, logger }: SlotsOptions): Slots {
  const slots = new Map<string, { number: number; folder: ProgramFolder }>()
  const claimed = new Set<number>()
  const removals = new Set<Promise<void>>()
  const remove = async (folder: ProgramFolder) => {
    const reason = await folder.remove()
    if (reason !== undefined) logger.warn({ reason }, "a program's folder could not be deleted")
  }
  return {
    async claim() {
      const number = claimLowest(claimed)
      const userId = firstUserId === undefined ? undefined : firstUserId + number
      try {
        const folder = await createProgramFolder({ ...(await folderOptions()), userId })
        slots.set(folder.path, { number, folder })
        return folder.path
      } catch (err) {
        claimed.delete(number)
        throw err
      }
    },
    find(path) {
      const slot = slots.get(path)
      if (!slot || slot.folder.isGone()) throw new SandboxFailure("the program's folder has vanished")
      return slot.folder
    },
    release(path) {
      const slot = slots.get(path)
      if (!slot) return
      slots.delete(path)
      claimed.delete(slot.number)
      const removal = remove(slot.folder).finally(() => removals.delete(removal))
      removals.add(removal)
    },
    async close() {
      await Promise.all([...removals, ...[...slots.values()].map(({ folder }) => remove(folder))])
    },
  }
}

function claimLowest(claimed: Set<number>): number {
  let number = 0
  while (claimed.has(number)) number += 1
  claimed.add(number)
  return number
}
