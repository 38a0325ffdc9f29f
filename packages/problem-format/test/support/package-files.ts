import type { PackageFiles } from '../../src/package/package-files.ts'

/** The files of a package in memory, by path. */
export function packageFiles(contents: Readonly<Record<string, string | Buffer>>): PackageFiles {
  const entries = Object.entries(contents).sort(([a], [b]) => (a < b ? -1 : 1))
  return new Map(
    entries.map(([path, content]) => {
      const bytes = Buffer.from(content)
      return [path, { path, bytes: bytes.length, read: async () => bytes }]
    }),
  )
}
