interface Verdict {
  readonly status: string
  readonly reason?: string
}

/** A verdict in words: `Wrong answer (presentation error)`. */
export function describeVerdict({ status, reason }: Verdict): string {
  const words = wordsOf(status)
  const shown = words.charAt(0).toUpperCase() + words.slice(1)
  return reason === undefined ? shown : `${shown} (${wordsOf(reason)})`
}

const wordsOf = (status: string) => status.toLowerCase().replaceAll('_', ' ')

/** The look of a status: a name of a class. */
export function lookOf(status: string): 'solved' | 'pending' | 'tried' {
  if (status === 'ACCEPTED') return 'solved'
  return status === 'PENDING' ? 'pending' : 'tried'
}
