/**
 * The `after` of the next page, from the `Link` header. Undefined on the last page and for requests
 * without `limit`.
 */
export function nextCursor(response: Pick<Response, 'headers'>): string | undefined {
  const links = response.headers.get('link') ?? ''
  const target = /<([^>]*)>\s*;\s*rel="next"/.exec(links)?.[1]
  if (target === undefined) return undefined
  // The link has no host.
  return new URL(target, 'http://localhost').searchParams.get('after') ?? undefined
}
