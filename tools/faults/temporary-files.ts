import { readdirSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from './checks.ts'

/** The bytes of the largest file of this folder that a process has open, also without a name. */
export function readOpenBytes(pid: number, folder: string): number {
  const files = `/proc/${pid}/fd`
  const sizes = readdirSync(files).map((number) => {
    try {
      const path = join(files, number)
      return readlinkSync(path).startsWith(`${folder}/`) ? statSync(path).size : 0
    } catch {
      // Closed meanwhile.
      return 0
    }
  })
  return Math.max(0, ...sizes)
}

/** The files with content that are left in the folder. They get it after they lose their names. */
export function findTemporaryFiles(folder: string): Finding {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return { what: 'temporary files are left', ids: names.filter((name) => hasContent(join(folder, name))) }
}

function hasContent(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isFile() === true && found.size > 0
}
