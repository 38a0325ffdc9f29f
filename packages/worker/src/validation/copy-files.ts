import { chmod, copyFile, lstat, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { JudgeError } from './judge-error.ts'

const LONGEST_PATH = 2048
const FOLDER_MODE = 0o755
const EXECUTABLE_BITS = 0o111

/**
 * Copies the files and folders in `source`, no links, devices or pipes, to the new folder `target`,
 * where any user may read them. Leaves out names in `source` for which `isOmitted`. Returns the
 * size in bytes. Throws `JudgeError` above `maxBytes` and for paths that are too long.
 */
export async function copyFiles(
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
