import type { Fault } from './plan.ts'
import type { Rendered } from './render.ts'

/** The bytes of a request that breaks HTTP in one way. */
export function faultyBytes(rendered: Rendered, host: string, fault: Fault): Buffer {
  const body = rendered.body ?? Buffer.alloc(0)
  const start = `${rendered.method} ${rendered.target}`
  const lines = rendered.headers.map(([name, value]) => `${name}: ${value}`)
  const length = `Content-Length: ${body.length}`
  const write = (head: string[], rest: Buffer | string = body, newline = '\r\n') =>
    Buffer.concat([Buffer.from(head.join(newline) + newline + newline, 'latin1'), Buffer.from(rest)])
  const usual = [`${start} HTTP/1.1`, `Host: ${host}`, ...lines]
  switch (fault) {
    case 'two lengths':
      return write([...usual, length, `Content-Length: ${body.length + 1}`])
    case 'length and chunks':
      return write(
        [...usual, length, 'Transfer-Encoding: chunked'],
        `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      )
    case 'bad chunk':
      return write([...usual, 'Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n')
    case 'bare line feeds':
      return write([...usual, length], body, '\n')
    case 'no version':
      return write([start, ...usual.slice(1), length])
    case 'NUL in a header':
      return write([...usual, 'X-Odd: a\0b', length])
    case 'folded header':
      return write([...usual, 'X-Odd: a', ' folded', length])
    case 'cut short':
      return write([...usual, `Content-Length: ${body.length + 10}`])
    case 'space before colon':
      return write([...usual, `Content-Length : ${body.length}`])
    case 'long head':
      return write([...usual, `X-Odd: ${'a'.repeat(17_000)}`, length])
    case 'two requests':
      return Buffer.concat([write([...usual, length]), write([...usual, 'Connection: close', length])])
  }
}
