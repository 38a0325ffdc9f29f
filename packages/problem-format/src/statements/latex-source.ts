import { MOST_LEVELS } from '../package/package-files.ts'

/** A longer text would keep the parser busy for more than a second. */
const MOST_SOURCE_BYTES = 64 * 1024

/** Characters of the private use area: they mark raw parts and occur nowhere else. */
const OPEN = '\uE000'
const CLOSE = '\uE001'
const MARK = /\uE000(\d+)\uE001/g

const CODE = ['verbatim', 'lstlisting', 'Verbatim', 'minted', 'alltt', 'BVerbatim', 'LVerbatim']
const HIDDEN = ['comment', 'filecontents']
const MATH = ['equation', 'align', 'gather', 'multline', 'eqnarray', 'flalign', 'alignat']
const PLAIN_MATH = ['math', 'displaymath', 'equation']

/** One token. No part of the expression can match the same characters in two ways. */
const TOKEN =
  /\\begin\s*\{([^{}\\$%]*)\}|\\end\s*\{([^{}\\$%]*)\}|\\([a-zA-Z@]+)|\\[\s\S]|%[^\n]*\n?[ \t]*|[{}]|\$\$?|[^\\%{}$]+/y

/**
 * Takes comments and raw parts (math, code, addresses) out of a LaTeX text. In `text` each raw part
 * is a mark around its number; `raw` has them as Markdown. Undefined if the text is too long, is
 * nested too deeply, or does not close what it opens: the parser can be very slow on such a text.
 */
export function readLatexSource(latex: string) {
  if (Buffer.byteLength(latex) > MOST_SOURCE_BYTES) return undefined
  const scanner = new Scanner(latex.replace(/\r\n?/g, '\n').replace(/[\uE000\uE001]/g, ''))
  const text = scanner.readAll()
  return text === undefined ? undefined : { text, raw: scanner.raw }
}

/** Adds a raw part and returns its mark. */
export function addRaw(raw: string[], part: string): string {
  raw.push(part)
  return `${OPEN}${raw.length - 1}${CLOSE}`
}

/** Puts the raw parts back; the lines of a part are indented like its first line. */
export function insertRaw(text: string, raw: readonly string[]): string {
  const insert = (line: string, indent: string): string =>
    line.replace(MARK, (_, number: string) =>
      insert((raw[Number(number)] ?? '').replaceAll('\n', `\n${indent}`), indent),
    )
  return text
    .split('\n')
    .map((line) => insert(line, /^(?:> | )*/.exec(line)?.[0] ?? ''))
    .join('\n')
}

/** Typographic quotes and dashes, and no more than one empty line. */
export function tidyText(text: string): string {
  return text
    .replace(/---/g, '—')
    .replace(/--/g, '–')
    .replace(/``/g, '“')
    .replace(/''/g, '”')
    .replace(/<</g, '«')
    .replace(/>>/g, '»')
    .replaceAll('`', '‘')
    .replaceAll("'", '’')
    .replaceAll('~', ' ')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .normalize('NFC')
}

/** Code as a part of a line. */
export function makeCodeSpan(code: string): string {
  const line = code.replace(/\s+/g, ' ')
  if (!line.includes('`')) return `\`${line}\``
  return `\`\` ${line} \`\``
}

class Scanner {
  readonly raw: string[] = []
  private readonly latex: string
  private readonly open: string[] = []
  private at = 0

  constructor(latex: string) {
    this.latex = latex
  }

  readAll(): string | undefined {
    const parts: string[] = []
    while (this.at < this.latex.length) {
      const part = this.readPart()
      if (part === undefined || this.open.length > MOST_LEVELS) return undefined
      parts.push(part)
    }
    return this.open.length === 0 ? parts.join('') : undefined
  }

  /** The next part of the text; undefined if something is not closed. */
  private readPart(): string | undefined {
    const [token, begin, end, command] = this.readToken()
    if (begin !== undefined) return this.readBegin(begin.trim())
    if (end !== undefined) return this.open.pop() === end.trim() ? `\\end{${end.trim()}}` : undefined
    if (command !== undefined) return this.readCommand(command)
    if (token.startsWith('%')) return this.latex[this.at] === '\n' ? '\n' : ''
    if (token === '{') return this.push('{', token)
    if (token === '}') return this.open.pop() === '{' ? token : undefined
    if (token === '\\(' || token === '$') return this.readMath(token === '$' ? '$' : '\\)', '$')
    if (token === '\\[' || token === '$$') return this.readMath(token === '$$' ? '$$' : '\\]', '$$')
    return token === '\\' || token === '\\)' || token === '\\]' ? undefined : token
  }

  private readToken(): readonly [string, ...(string | undefined)[]] {
    TOKEN.lastIndex = this.at
    const match = TOKEN.exec(this.latex)
    const token = match?.[0] ?? this.latex.charAt(this.at)
    this.at += token.length
    return [token, ...(match?.slice(1) ?? [])]
  }

  private push(name: string, part: string): string {
    this.open.push(name)
    return part
  }

  private readBegin(name: string): string | undefined {
    const plain = name.replace(/\*$/, '')
    const isCode = CODE.includes(plain)
    const isRaw = isCode || HIDDEN.includes(plain) || [...MATH, ...PLAIN_MATH].includes(plain)
    if (!isRaw) return this.push(name, `\\begin{${name}}`)
    const body = this.readTo(`\\end{${name}}`)
    if (body === undefined) return undefined
    if (isCode) return this.addBlock(fence(plain, body))
    if (HIDDEN.includes(plain)) return ''
    if (plain === 'math') return addRaw(this.raw, `$${tidyMath(body)}$`)
    if (PLAIN_MATH.includes(plain)) return this.addBlock(`$$${tidyMath(body)}$$`)
    return this.addBlock(`$$\\begin{${name}} ${tidyMath(body)} \\end{${name}}$$`)
  }

  private addBlock(part: string): string {
    return `\n\n${addRaw(this.raw, part)}\n\n`
  }

  /** Everything up to a text, which is skipped. */
  private readTo(end: string): string | undefined {
    const to = this.latex.indexOf(end, this.at)
    if (to < 0) return undefined
    const part = this.latex.slice(this.at, to)
    this.at = to + end.length
    return part
  }

  /** Math up to its end outside of braces. */
  private readMath(end: string, mark: '$' | '$$'): string | undefined {
    const from = this.at
    let level = 0
    while (this.at < this.latex.length) {
      const start = this.at
      const [token] = this.readToken()
      if (token === '{') level += 1
      if (token === '}') level -= 1
      const isEnd = token === end || (end === '$' && token === '$$')
      if (level < 0) return undefined
      if (level > 0 || !isEnd) continue
      this.at = start + end.length
      const math = `${mark}${tidyMath(this.latex.slice(from, start))}${mark}`
      return mark === '$$' ? this.addBlock(math) : addRaw(this.raw, math)
    }
    return undefined
  }

  private readCommand(name: string): string | undefined {
    if (['verb', 'lstinline', 'mintinline'].includes(name)) return this.readInlineCode(name)
    // The parser does not read these names as a whole.
    if (name.startsWith('verb') || name === '@@input') return '\\input'
    if (!['url', 'href', 'path', 'nolinkurl'].includes(name)) return `\\${name}`
    const address = this.match(/\s*\{([^{}\n]*)\}/y)?.[1]
    if (address === undefined) return `\\${name}`
    const mark = addRaw(this.raw, address.replace(/\\([%#&_~$])/g, '$1').trim())
    return name === 'href' ? `\\href{${mark}}` : mark
  }

  private readInlineCode(name: string): string | undefined {
    const options = name === 'mintinline' ? /(?:\[[^\]\n]*\])?\{[^{}\n]*\}/y : /\*?(?:\[[^\]\n]*\])?/y
    this.match(options)
    const mark = this.latex.charAt(this.at)
    if (mark.trim() === '') return undefined
    this.at += 1
    const code = this.readTo(mark === '{' ? '}' : mark)
    return code === undefined ? undefined : addRaw(this.raw, makeCodeSpan(code))
  }

  private match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at
    const found = expression.exec(this.latex)
    this.at += found?.[0].length ?? 0
    return found
  }
}

/** A code block; options of the environment are dropped. */
function fence(name: string, body: string): string {
  const options = name === 'minted' ? /^(?:\[[^\]\n]*\])?(?:\{[^{}\n]*\})?/ : /^(?:\[[^\]\n]*\])?/
  const code = body
    .replace(options, '')
    .replace(/^[ \t]*\n/, '')
    .trimEnd()
  const marks = code.includes('```') ? '~~~~' : '```'
  return `${marks}\n${code}\n${marks}`
}

/** Math without comments and blank lines. */
function tidyMath(math: string): string {
  return math
    .replace(/(\\[\s\S])|%[^\n]*\n?/g, (_, escaped: string | undefined) => escaped ?? '')
    .replace(/\n[ \t]*(?=\n)/g, '')
    .trim()
}
