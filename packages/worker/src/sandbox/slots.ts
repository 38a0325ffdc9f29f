import type { Logger } from '../shared/logger.ts'
import { trackCalls } from '../shared/track-calls.ts'
import { createProgramFolder, type FolderOptions, type ProgramFolder } from './program-folder.ts'
import { SandboxFailure } from './sandbox.ts'

export interface SlotsOptions {
  /** The first user id of the slots; undefined if programs run as the worker's user. */
  readonly firstUserId: number | undefined
  /** Called for each folder. */
  readonly folderOptions: () => Promise<Omit<FolderOptions, 'userId'>>
  readonly logger: Logger
}

/** The folders of running programs, each with its own user. */
export function createSlots({ firstUserId, folderOptions, logger }: SlotsOptions) {
  const slots = new Map<string, { number: number; folder: ProgramFolder }>()
  const claimed = new Set<number>()
  const { handler: remove, settled } = trackCalls(async (folder: ProgramFolder) => {
    const reason = await folder.remove()
    if (reason !== undefined) logger.warn({ reason }, "a program's folder could not be deleted")
  })
  return {
    /** Makes the folder of a new slot and returns its path. Throws `SandboxFailure`. */
    async claim(): Promise<string> {
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
    /** The folder of a slot. Throws `SandboxFailure` if it has vanished. */
    find(path: string): ProgramFolder {
      const slot = slots.get(path)
      if (!slot || slot.folder.isGone()) throw new SandboxFailure("the program's folder has vanished")
      return slot.folder
    },
    /** Frees a slot immediately and deletes its folder in the background. */
    release(path: string): void {
      const slot = slots.get(path)
      if (!slot) return
      slots.delete(path)
      claimed.delete(slot.number)
      void remove(slot.folder)
    },
    /** Resolves after all folders are deleted. */
    async close(): Promise<void> {
      for (const { folder } of slots.values()) void remove(folder)
      await settled()
    },
  }
}

function claimLowest(claimed: Set<number>): number {
  let number = 0
  while (claimed.has(number)) number += 1
  claimed.add(number)
  return number
}
