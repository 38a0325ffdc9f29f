/**
 * The place of a list's next page, out of the `Link` header of this one: its `after`. Undefined after the last page, and where the
 * list was asked without `limit`.
 */
export function nextCursor(response: Pick<Response, 'headers'>): string | undefined {
  const links = response.headers.get('link') ?? ''
  const target = /<([^>]*)>\s*;\s*rel="next"/.exec(links)?.[1]
  if (target === undefined) return undefined
  // The link has a path alone; any base will do to read its query.
  return new URL(target, 'http://localhost').searchParams.get('after') ?? undefined
}
