import { METHODS } from 'node:http'
import fc from 'fast-check'
import { hostileJson } from './mutations.ts'
import { type Body, callers, type Plan, type QueryPart } from './plan.ts'
import { codePoint } from './right-values.ts'

type Twist = (plan: Plan) => Partial<Plan>

export const applyTwist = (plan: Plan, twist: Twist): Plan => ({ ...plan, ...twist(plan) })

const set = <Key extends keyof Plan>(key: Key, values: fc.Arbitrary<Plan[Key]>): fc.Arbitrary<Twist> =>
  values.map((value) => () => ({ [key]: value }))

export function twist(largestBodyBytes: number): fc.Arbitrary<Twist> {
  return fc.oneof(
    { weight: 2, arbitrary: set('method', otherMethods) },
    { weight: 4, arbitrary: otherPaths },
    { weight: 4, arbitrary: otherQueries },
    { weight: 4, arbitrary: otherHeaders },
    { weight: 3, arbitrary: set('contentType', contentTypes) },
    { weight: 4, arbitrary: set('body', otherBodies(largestBodyBytes)) },
    { weight: 2, arbitrary: set('caller', fc.constantFrom(...callers)) },
  )
}

// CONNECT would turn the connection into a tunnel.
const otherMethods = fc.oneof(
  fc.constantFrom('HEAD', 'OPTIONS', 'DELETE', 'PUT', 'PATCH', 'POST', 'GET'),
  fc.constantFrom(...METHODS.filter((method) => method !== 'CONNECT')),
)

const oddSegments = fc.oneof(
  fc.constantFrom(
    ...['%00', '%2F', '%zz', '%', '%c0%af', '%ff', '..', '.', '', '%2e%2e', '*', ':id', '{id}', ';a=b'],
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
  ...['', '=', '&', '&&a', '%zz=%', 'a[]=1&a[b]=2', '__proto__=1&constructor[prototype]=2', '?a=?'],
  ...['a=%00', 'a=%ff'],
)

/** A raw text, a part for the second time, or a parameter twice. */
const otherQueries: fc.Arbitrary<Twist> = fc
  .oneof(
    rawQueries.map((raw) => (): QueryPart[] => [{ raw }]),
    fc.nat().map(
      (pick) =>
        ({ query }: Plan) =>
          query.slice(pick % query.length).slice(0, 1),
    ),
    fc
      .tuple(fc.nat(), fc.constantFrom('', '[]', '[0]', '%00'))
      .map(([pick, suffix]) => ({ operation }: Plan): QueryPart[] => {
        const own = operation.parameters.filter((parameter) => parameter.in === 'query')
        const name = own[pick % own.length]?.name
        return name === undefined ? [] : [{ raw: `${name}${suffix}=` }, { raw: `${name}${suffix}=1` }]
      }),
  )
  .map((partsOf) => (plan) => ({ query: [...plan.query, ...partsOf(plan)] }))

const headerLines = fc.constantFrom<Record<string, string>>(
  ...[{ Authorization: 'x' }, { authorization: '' }, { 'Content-Type': 'text/plain' }],
  ...[{ 'Content-Encoding': 'gzip' }, { 'Content-Encoding': 'identity' }],
  ...[{ Expect: '100-continue' }, { Expect: 'nonsense' }],
  ...[{ Connection: 'close' }, { Connection: 'Upgrade' }, { Upgrade: 'h2c' }],
  ...[{ 'X-Forwarded-For': `${'1.2.3.4, '.repeat(500)}x` }, { 'X-HTTP-Method-Override': 'DELETE' }],
  ...[{ 'X-Request-Id': '"}\u00ff' }, { Origin: 'null' }, { Origin: 'https://evil.example' }],
  ...[{ 'Access-Control-Request-Method': 'DELETE' }],
  ...[{ 'Access-Control-Request-Headers': 'x'.repeat(2000) }],
  ...[{ Accept: 'text/html;q=0.1, */*;q=0' }, { 'Accept-Encoding': 'br, gzip' }],
  ...[{ 'If-None-Match': '*' }, { Range: 'bytes=0-0' }, { Cookie: '__proto__=1; a="' }],
  ...[{ ['__proto__']: 'x' }, { 'Transfer-Encoding': 'gzip, chunked' }, { Host: 'evil.example' }],
)

const otherHeaders: fc.Arbitrary<Twist> = headerLines.map((line) => ({ headers }) => ({
  headers: [...headers, ...Object.entries(line)],
}))

const contentTypes = fc.constantFrom(
  ...['', 'text/csv', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
  ...['application/json-patch+json', 'application/json; charset=utf-16'],
  ...['application/json; charset=latin1; charset=utf-8', 'application/json;;; ='],
  ...['application/json, text/plain', 'application/jsonx', 'application/\u00e9'],
)

function otherBodies(largestBodyBytes: number): fc.Arbitrary<Body | undefined> {
  const texts = [
    ...['', ' ', '{', '}', '{"a":}', '[1,]', 'null', '"', '\uFEFF{}', 'NaN', "{'a':1}", '{}{}', '{"a":1e}'],
    ...['/**/{}', '"\\uD800"', '{"a":"\0"}'],
  ]
  const bytes = fc.oneof(
    fc.constantFrom(
      ...texts.map((text) => Buffer.from(text)),
      Buffer.from([0xff, 0xfe, 0x7b, 0]),
      Buffer.from('{"a":"\u00e9"}', 'latin1'),
      Buffer.from('{}', 'utf16le'),
    ),
    fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array)),
  )
  const sizes = fc.constantFrom(largestBodyBytes, largestBodyBytes + 1)
  return fc.oneof<fc.MaybeWeightedArbitrary<Body | undefined>[]>(
    { weight: 10, arbitrary: bytes.map((sent) => ({ as: 'bytes', bytes: sent })) },
    { weight: 6, arbitrary: hostileJson.map((json) => ({ as: 'json', json })) },
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: sizes.map((byteCount) => ({ as: 'filler', byteCount })) },
  )
}
