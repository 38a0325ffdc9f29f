import { Composer, type CST, type Document, Lexer, type LineCounter, type ParsedNode, Parser } from 'yaml'
import { MOST_LEVELS, PackageError } from './package-files.ts'

/** A syntax error at a place of the text. */
class YamlError extends Error {
  readonly position: number

  constructor(message: string, position: number) {
    super(message)
    this.position = position
  }
}

/**
 * Parses the only document of a YAML text. The first syntax error ends the parsing. Throws
 * `PackageError`, also for deep nesting, which is found before anything calls itself.
 */
export function parseYaml(path: string, text: string, counter: LineCounter): Document.Parsed {
  counter.addNewLine(0)
  const tokens: CST.Token[] = []
  try {
    for (const token of readTokens(text, counter)) tokens.push(token)
    return compose(tokens, text.length)
  } catch (err) {
    if (!(err instanceof YamlError)) throw err
    const { line } = counter.linePos(findOpening(tokens, err))
    throw new PackageError(path, describeError(err), line)
  }
}

/** The first line of the parser's message. */
export const describeError = ({ message }: Error) => message.split('\n', 1)[0]?.replace(/:$/, '') ?? message

function* readTokens(text: string, counter: LineCounter): Generator<CST.Token> {
  const parser = new Parser(counter.addNewLine)
  for (const lexeme of new Lexer().lex(text)) {
    yield* refuseErrors(parser.next(lexeme))
    const top = parser.stack.at(-1)
    // The document is around all others.
    if (top !== undefined && 'items' in top && parser.stack.length > MOST_LEVELS + 1)
      throw new YamlError(`the file must have at most ${MOST_LEVELS} levels`, parser.offset)
  }
  yield* refuseErrors(parser.end())
}

function* refuseErrors(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  for (const token of tokens) {
    if (token.type === 'error') throw new YamlError(token.message, token.offset)
    yield token
  }
}

type ErrorSource = number | readonly number[] | { readonly offset: number }

/** Ends at the first error: others could be very many. */
class StrictComposer extends Composer<ParsedNode> {
  constructor() {
    super({ uniqueKeys: false, prettyErrors: false })
    const onError = (source: ErrorSource, _: string, message: string, isWarning?: boolean) => {
      if (!isWarning) throw new YamlError(message, positionOf(source))
    }
    Object.assign(this, { onError })
  }
}

const positionOf = (source: ErrorSource) =>
  typeof source === 'number' ? source : 'offset' in source ? source.offset : (source[0] ?? 0)

function compose(tokens: readonly CST.Token[], length: number): Document.Parsed {
  const [document, other] = new StrictComposer().compose(tokens, true, length)
  if (document === undefined) throw new YamlError('the file must have a document', 0)
  const [error] = document.errors
  if (error !== undefined) throw new YamlError(error.message, error.pos[0])
  if (other !== undefined) throw new YamlError('the file must have only one document', other.range[0])
  return document
}

/** Where the quote or bracket was opened that is not closed at an error; else its place. */
function findOpening(tokens: readonly CST.Token[], { message, position }: YamlError): number {
  if (!/^Missing closing|end with a /.test(message)) return position
  const opened = tokens.flatMap(listOpened)
  return opened.find(({ end }) => end === undefined || end === position)?.start ?? position
}

interface Opened {
  readonly start: number
  /** Undefined for a bracket that is not closed. */
  readonly end: number | undefined
}

/** Quotes, and brackets that are not closed, in their order. Nesting is bounded. */
function listOpened(token: CST.Token | null | undefined): Opened[] {
  if (!token) return []
  if (token.type === 'single-quoted-scalar' || token.type === 'double-quoted-scalar')
    return [{ start: token.offset, end: token.offset + token.source.length }]
  if (token.type === 'document') return listOpened(token.value)
  if (!('items' in token)) return []
  const isClosed = token.type !== 'flow-collection' || /^[\]}]$/.test(token.end[0]?.source ?? '')
  const inner = token.items.flatMap(({ key, value }) => [...listOpened(key), ...listOpened(value)])
  return isClosed ? inner : [{ start: token.offset, end: undefined }, ...inner]
}
