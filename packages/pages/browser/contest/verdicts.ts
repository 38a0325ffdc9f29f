/** `WRONG_ANSWER` in words: `Wrong answer`. */
export function describeStatus(status: string): string {
  const words = status.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The look of a status: a name of a class. */
export function lookOf(status: string): 'solved' | 'pending' | 'tried' {
  if (status === 'ACCEPTED') return 'solved'
  return status === 'PENDING' ? 'pending' : 'tried'
}
