import { METHODS } from 'node:http'
import fc from 'fast-check'
import { hostileJson } from './mutations.ts'
import { callers, type Fault, type Plan, type QueryPart } from './plan.ts'
import { codePoint } from './texts.ts'

/** What a hostile request changes of a plan. */
export type Twist = (plan: Plan) => Partial<Plan>

/** The plan with the change done. */
export const applyTwist = (plan: Plan, twist: Twist): Plan => ({ ...plan, ...twist(plan) })

/** Changes to any part of a request: method, path, query, headers, body, caller, and the bytes beneath HTTP. */
export function twist(largestBodyBytes: number): fc.Arbitrary<Twist> {
  return fc.oneof(
    {
      weight: 2,
      arbitrary: otherMethods.map(
        (method): Twist =>
          () => ({ method }),
      ),
    },
    { weight: 4, arbitrary: otherPaths },
    { weight: 4, arbitrary: otherQueries },
    { weight: 4, arbitrary: otherHeaders },
    {
      weight: 3,
      arbitrary: contentTypes.map(
        (contentType): Twist =>
          () => ({ contentType }),
      ),
    },
    { weight: 4, arbitrary: otherBodies(largestBodyBytes) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(...faults).map(
        (fault): Twist =>
          () => ({ fault }),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(...callers).map(
        (caller): Twist =>
          () => ({ caller }),
      ),
    },
  )
}

/** Those that turn a connection into something else are no requests. */
const otherMethods = fc.oneof(
  fc.constantFrom('HEAD', 'OPTIONS', 'DELETE', 'PUT', 'PATCH', 'POST', 'GET'),
  fc.constantFrom(...METHODS.filter((method) => method !== 'CONNECT')),
)

const oddSegments = fc.oneof(
  fc.constantFrom(
    '%00',
    '%2F',
    '%zz',
    '%',
    '%c0%af',
    '%ff',
    '..',
    '.',
    '',
    '%2e%2e',
    '*',
    ':id',
    '{id}',
    ';a=b',
    'a'.repeat(5000),
  ),
  codePoint.map(encodeURIComponent),
)

const otherPaths: fc.Arbitrary<Twist> = fc
  .tuple(oddSegments, fc.nat(), fc.constantFrom('inserted', 'replaced', 'appended', 'alone', 'upper case'))
  .map(([odd, pick, how]) => ({ operation }) => {
    const segments = operation.path.slice(1).split('/')
    const at = pick % segments.length
    const paths: Record<typeof how, string> = {
      inserted: segments.toSpliced(at, 0, odd).join('/'),
      replaced: segments.toSpliced(at, 1, odd).join('/'),
      appended: [...segments, odd].join('/'),
      alone: odd,
      'upper case': operation.path.slice(1).toUpperCase(),
    }
    return { otherPath: `/${paths[how]}`.replaceAll(/\{\w+\}/g, '1') }
  })

const rawQueries = fc.constantFrom(
  '',
  '=',
  '&',
  '&&a',
  '%zz=%',
  'a[]=1&a[b]=2',
  '__proto__=1&constructor[prototype]=2',
  '?a=?',
  'a=%00',
  'a=%ff',
)

const otherQueries: fc.Arbitrary<Twist> = fc.oneof(
  rawQueries.map(
    (raw): Twist =>
      ({ query }) => ({ query: [...query, { raw }] }),
  ),
  fc.nat().map(
    (pick): Twist =>
      ({ query }) => {
        const part = query[pick % query.length]
        return { query: part === undefined ? query : [...query, part] }
      },
  ),
  fc.tuple(fc.nat(), fc.constantFrom('', '[]', '[0]', '%00')).map(
    ([pick, suffix]): Twist =>
      ({ operation, query }) => {
        const names = operation.parameters
          .filter((parameter) => parameter.in === 'query')
          .map(({ name }) => name)
        const name = names[pick % names.length]
        const added: QueryPart[] =
          name === undefined ? [] : [{ raw: `${name}${suffix}=` }, { raw: `${name}${suffix}=1` }]
        return { query: [...query, ...added] }
      },
  ),
)

const headerLines = fc.constantFrom<readonly [string, string]>(
  ['Authorization', 'x'],
  ['authorization', ''],
  ['Content-Type', 'text/plain'],
  ['Content-Encoding', 'gzip'],
  ['Content-Encoding', 'identity'],
  ['Expect', '100-continue'],
  ['Expect', 'nonsense'],
  ['Connection', 'close'],
  ['Connection', 'Upgrade'],
  ['Upgrade', 'h2c'],
  ['X-Forwarded-For', `${'1.2.3.4, '.repeat(500)}x`],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Request-Id', '"}\u00ff'],
  ['Origin', 'null'],
  ['Origin', 'https://evil.example'],
  ['Access-Control-Request-Method', 'DELETE'],
  ['Access-Control-Request-Headers', 'x'.repeat(2000)],
  ['Accept', 'text/html;q=0.1, */*;q=0'],
  ['Accept-Encoding', 'br, gzip'],
  ['If-None-Match', '*'],
  ['Range', 'bytes=0-0'],
  ['Cookie', '__proto__=1; a="'],
  ['__proto__', 'x'],
  ['Transfer-Encoding', 'gzip, chunked'],
  ['Host', 'evil.example'],
)

const otherHeaders: fc.Arbitrary<Twist> = headerLines.map(
  (line): Twist =>
    ({ headers }) => ({ headers: [...headers, line] }),
)

const contentTypes = fc.constantFrom(
  '',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json-patch+json',
  'application/json; charset=utf-16',
  'application/json; charset=latin1; charset=utf-8',
  'application/json;;; =',
  'application/json, text/plain',
  'application/jsonx',
  'application/\u00e9',
)

function otherBodies(largestBodyBytes: number): fc.Arbitrary<Twist> {
  const bytes = fc.oneof(
    fc.constantFrom(
      ...[
        '',
        ' ',
        '{',
        '}',
        '{"a":}',
        '[1,]',
        'null',
        '"',
        '\uFEFF{}',
        'NaN',
        "{'a':1}",
        '{}{}',
        '{"a":1e}',
        '/**/{}',
        '"\\uD800"',
      ].map((text) => Buffer.from(text)),
      Buffer.from([0xff, 0xfe, 0x7b, 0]),
      Buffer.from('{"a":"\u00e9"}', 'latin1'),
      Buffer.from('{}', 'utf16le'),
      Buffer.from('{"a":"\0"}'),
    ),
    fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array)),
  )
  return fc.oneof(
    {
      weight: 10,
      arbitrary: bytes.map(
        (sent): Twist =>
          () => ({ body: { as: 'bytes', bytes: sent } }),
      ),
    },
    {
      weight: 6,
      arbitrary: hostileJson.map(
        (json): Twist =>
          () => ({ body: { as: 'json', json } }),
      ),
    },
    { weight: 3, arbitrary: fc.constant<Twist>(() => ({ body: undefined })) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(largestBodyBytes, largestBodyBytes + 1).map(
        (byteCount): Twist =>
          () => ({ body: { as: 'filler', byteCount } }),
      ),
    },
  )
}

const faults: readonly Fault[] = [
  'two lengths',
  'length and chunks',
  'bad chunk',
  'bare line feeds',
  'no version',
  'NUL in a header',
  'folded header',
  'cut short',
  'space before colon',
  'long head',
  'two requests',
]
