import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'

/** Their content is no source, or does not belong to a copy. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'data', 'release', 'secrets'])
const OWN_PACKAGES = '@judge-data-layer'

/**
 * Copies the project, with its build, to a new temporary folder. Libraries are links into the
 * original `node_modules`. The packages of the project are copied.
 */
export async function copyProject(root: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'judge-mutants-'))
  await cp(root, folder, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !LEFT_OUT.has(relative(root, path).split(sep)[0] ?? ''),
  })
  const [libraries, links] = [join(root, 'node_modules'), join(folder, 'node_modules')]
  await mkdir(links)
  const isLibrary = (name: string) => name !== OWN_PACKAGES && !/^\.(?!bin$)/.test(name)
  for (const name of (await readdir(libraries)).filter(isLibrary))
    await symlink(join(libraries, name), join(links, name))
  await cp(join(libraries, OWN_PACKAGES), join(links, OWN_PACKAGES), {
    recursive: true,
    verbatimSymlinks: true,
  })
  if (!existsSync(join(links, '.bin/vitest'))) throw new Error('Run npm ci first: Vitest is not installed.')
  return folder
}
