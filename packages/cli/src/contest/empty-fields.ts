import { isMap, isScalar, isSeq, type YAMLParseError } from 'yaml'
import { type Fault, joinPath } from './schema.ts'

/**
 * Finds the fields and the items of lists without a value, such as `color: #00f`, where YAML reads a
 * comment. Each fault has the line, and says how to correct it. `place` is where the node begins.
 */
export function findEmptyFields(text: string, node: unknown, path = '', place = 0): Fault[] {
  if (isMap(node))
    return node.items.flatMap(({ key, value }) =>
      findEmptyFields(text, value, joinPath(path, String(key)), placesOf(key)[1]),
    )
  if (isSeq(node))
    return node.items.flatMap((item, i) =>
      findEmptyFields(text, item, `${path}[${i + 1}]`, placesOf(item)[0]),
    )
  if (path === '' || !(node === null || (isScalar(node) && node.value === null))) return []
  // The value of `title: #1 of all # a comment` is meant to be `#1 of all`.
  const [, comment] = /^:?[ \t]*(#[^\s#].*?)\s*(?:\s#.*)?$/m.exec(lineAt(text, place)) ?? []
  const advice = comment === undefined ? 'write one, or leave it out' : `quote it: ${JSON.stringify(comment)}`
  return [{ path, message: `has no value in line ${lineNumber(text, place)}: ${advice}` }]
}

/** The message. In braces a comment also hides their end: `{label: A, color: #00f}`. */
export function explainSyntaxError(text: string, { message, pos: [end] }: YAMLParseError): string {
  const [found] = [...text.slice(0, end).matchAll(/:[ \t]+(#[^\s#,}\]]+)[,}\]]/g)].slice(-1)
  if (found === undefined) return message.trimEnd()
  return `${message.trimEnd()}\nIn line ${lineNumber(text, found.index)} a comment begins: quote it: "${found[1]}"`
}

/** Where a node begins and ends in the text. */
const placesOf = (node: unknown) => (isScalar(node) && node.range) || [0, 0]

const lineAt = (text: string, place: number) => text.slice(place).split(/\r?\n/, 1)[0] ?? ''

const lineNumber = (text: string, place: number) => text.slice(0, place).split('\n').length
