import { Marked, type TokenizerAndRendererExtension } from 'marked'
import temml from 'temml'
import { keyOf, MATH, type MathElement, type ParsedStatement } from './parsed-statement.ts'

/**
 * Parses Markdown with formulas. This may take minutes, so only a worker calls it. Undefined if the
 * HTML would occupy the page for too long.
 */
export function parseStatement(text: string): ParsedStatement | undefined {
  const formulas = new Map<string, MathElement>()
  const budget = { nodes: MOST_MATH_NODES }
  const add = (formula: string, isDisplay: boolean) => {
    const key = keyOf(formula, isDisplay)
    const math = formulas.get(key) ?? parseFormula(formula, isDisplay, budget)
    if (math !== undefined) formulas.set(key, math)
    return `<span class="${MATH}${isDisplay ? ' display' : ''}">${escapeHtml(formula)}</span>`
  }
  const marked = new Marked({ gfm: true, extensions: [blockMath(add), inlineMath(add)] })
  // The language of a program would be an attribute of `code`: see FORMATTING.
  marked.use({ walkTokens: (token) => void (token.type === 'code' && Object.assign(token, { lang: '' })) })
  const html = marked.parse(text, { async: false })
  return isBounded(html) ? { html, formulas } : undefined
}

type AddFormula = (formula: string, isDisplay: boolean) => string

/** `$$…$$` in lines of their own, or in a text. */
const blockMath = (add: AddFormula): TokenizerAndRendererExtension => ({
  name: 'blockMath',
  level: 'block',
  start: (text) => text.indexOf('$$'),
  tokenizer(text) {
    const [raw, formula] = /^\$\$([^$]+?)\$\$[ \t]*(?:\n|$)/.exec(text) ?? []
    return raw === undefined ? undefined : { type: 'blockMath', raw, formula }
  },
  renderer: ({ formula }) => `${add(String(formula).trim(), true)}\n`,
})

/** `$…$` without a space inside the signs, so that `$5 and $6` stays as it is. */
const inlineMath = (add: AddFormula): TokenizerAndRendererExtension => ({
  name: 'inlineMath',
  level: 'inline',
  start: (text) => text.indexOf('$'),
  tokenizer(text) {
    const display = /^\$\$([^$]+?)\$\$/.exec(text)
    if (display !== null) return { type: 'inlineMath', raw: display[0], formula: display[1], isDisplay: true }
    const [raw, formula] = /^\$(?!\s)((?:\\[\s\S]|[^$\\])+?)(?<!\s)\$(?!\d)/.exec(text) ?? []
    return raw === undefined ? undefined : { type: 'inlineMath', raw, formula }
  },
  renderer: ({ formula, isDisplay }) => add(String(formula), isDisplay === true),
})

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const MOST_CHARACTERS = 1024 * 1024
const MOST_TAGS = 20_000
const MOST_FORMATTING = 50
/** Browsers repeat open elements of these names in each new paragraph, those with attributes always. */
const FORMATTING = /<(?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)[\s/]/gi

const isBounded = (html: string) =>
  html.length <= MOST_CHARACTERS &&
  html.split('<').length <= MOST_TAGS &&
  (html.match(FORMATTING)?.length ?? 0) <= MOST_FORMATTING

const MOST_MATH_NODES = 50_000
const MOST_MATH_DEPTH = 200

/** A node as Temml makes it: of MathML with a `type`, a text, or a fragment. */
interface TemmlNode {
  readonly type?: string
  readonly text?: string
  readonly attributes?: object
  readonly classes?: readonly string[]
  readonly style?: object
  readonly children?: readonly TemmlNode[]
}

function parseFormula(formula: string, displayMode: boolean, budget: { nodes: number }) {
  const options = { displayMode, trust: false, throwOnError: true, maxExpand: 200 }
  const { nodes } = budget
  try {
    const node: TemmlNode = temml.__renderToMathMLTree(formula, options)
    const [math] = readNode(node, budget, 0)
    return typeof math === 'string' ? undefined : math
  } catch {
    budget.nodes = nodes
    return undefined
  }
}

function readNode(node: TemmlNode, budget: { nodes: number }, depth: number): (MathElement | string)[] {
  budget.nodes -= 1
  if (budget.nodes < 0 || depth > MOST_MATH_DEPTH) throw new RangeError('too large')
  if (node.text !== undefined) return [node.text]
  const children = (node.children ?? []).flatMap((child) => readNode(child, budget, depth + 1))
  if (node.type === undefined) return children
  const classes = node.classes?.filter((name) => name).join(' ')
  const attributes = { ...node.attributes, ...(classes && { class: classes }) }
  return [{ tag: node.type, attributes: asTexts(attributes), styles: asTexts(node.style ?? {}), children }]
}

const asTexts = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
