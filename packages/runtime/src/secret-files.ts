import { readFileSync } from 'node:fs'

export type Variables = Readonly<Record<string, string | undefined>>

/** Why a secret cannot be read. */
export interface SecretProblem {
  /** The secret, without `_FILE`. */
  readonly name: string
  /** Names the variable, never the path or the content. */
  readonly message: string
}

/** The variable with the path of a secret's file. */
export const fileVariable = (name: string) => `${name}_FILE`

/**
 * Sets each secret to the content of the file that `NAME_FILE` names, without one newline at its
 * end, and removes `NAME_FILE`. Blank variables count as unset.
 */
export function readSecretFiles(
  variables: Variables,
  names: readonly string[],
): { readonly variables: Variables; readonly problems: readonly SecretProblem[] } {
  const filled = { ...variables }
  const problems: SecretProblem[] = []
  for (const name of names) {
    const file = fileVariable(name)
    const path = filled[file]
    delete filled[file]
    if (!path?.trim()) continue
    if (filled[name]?.trim()) {
      problems.push({ name, message: `${name} and ${file} must not both be set` })
      continue
    }
    const { content, fault } = readSecret(path)
    if (fault === undefined) filled[name] = content
    else problems.push({ name, message: `${file} must be the path of a file with the secret (${fault})` })
  }
  return { variables: filled, problems }
}

function readSecret(path: string): { content?: string; fault?: string } {
  try {
    const content = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    return content.trim() === '' ? { fault: 'the file is empty' } : { content }
  } catch (err) {
    return { fault: String(Object(err).code ?? 'not readable') }
  }
}
