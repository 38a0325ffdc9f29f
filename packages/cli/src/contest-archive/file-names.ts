const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i

/**
 * Makes a name that is safe on every file system, in a shell and in a path: letters, digits, `_`
 * and `-`, and at most `most` characters. Letters of all scripts stay.
 */
export function toFileName(text: string, most = 40): string {
  const safe = text
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}-]+/gu, '_')
    .replace(/^[-_\p{M}]+/u, '')
  const short = Array.from(safe)
    .slice(0, most)
    .join('')
    .replace(/[-_]+$/, '')
  if (short === '') return 'unnamed'
  return RESERVED.test(short) ? `${short}_` : short
}

/** The names of people, problems or languages by their ids. */
export interface FileNames {
  /** The same name for the same id. No two names of a set differ only in upper and lower case. */
  of(id: string, text: string): string
}

/**
 * Makes a set of names. Names of people always end with a part of the id, so that they are the same
 * in all exports; others only if they are taken.
 */
export function createFileNames(suffix: 'always' | 'if taken', most?: number): FileNames {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  return {
    of(id, text) {
      const known = names.get(id)
      if (known !== undefined) return known
      const base = toFileName(text, most)
      const choices = [base, `${base}-${toFileName(id.slice(-8))}`, `${base}-${toFileName(id)}`]
      const found = choices.slice(suffix === 'always' ? 1 : 0).find((name) => !taken.has(name.toLowerCase()))
      const name = found ?? `${base}-${names.size}-${toFileName(id)}`
      names.set(id, name)
      taken.add(name.toLowerCase())
      return name
    },
  }
}

/** The extension of a language's files, `txt` if it has no usual one. */
export function toExtension(extension: string): string {
  const safe = extension.toLowerCase().replace(/^\.+/, '')
  return /^[a-z0-9]{1,10}$/.test(safe) ? safe : 'txt'
}
