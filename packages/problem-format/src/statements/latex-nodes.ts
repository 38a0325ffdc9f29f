import type { parseMinimal } from '@unified-latex/unified-latex-util-parse'

/** A node of the parser's tree. */
export type Node = ReturnType<typeof parseMinimal>['content'][number]
export type Nodes = readonly Node[]

/** Brackets that are not closed soon are text. */
const MOST_OPTION_NODES = 200

/** Reads nodes one after the other, with the arguments of commands. */
export class NodeReader {
  private readonly nodes: Nodes
  private at = 0

  constructor(nodes: Nodes) {
    this.nodes = nodes
  }

  /** The next node; undefined at the end. */
  next(): Node | undefined {
    const node = this.nodes[this.at]
    this.at += 1
    return node
  }

  /** The nodes that were not read. */
  takeRest(): Nodes {
    const rest = this.nodes.slice(this.at)
    this.at = this.nodes.length
    return rest
  }

  /** True directly before a group. */
  isBeforeGroup(): boolean {
    return this.nodes[this.at]?.type === 'group'
  }

  skipSpace(): void {
    while (isSpace(this.nodes[this.at])) this.at += 1
  }

  /** Skips `*`. */
  skipStar(): void {
    if (isString(this.nodes[this.at], '*')) this.at += 1
  }

  /** The argument in braces, or one command; undefined if there is none. */
  takeArgument(): Nodes | undefined {
    const from = this.at
    this.skipSpace()
    const node = this.nodes[this.at]
    if (node?.type !== 'group' && node?.type !== 'macro') {
      this.at = from
      return undefined
    }
    this.at += 1
    return contentOf(node)
  }

  /** The argument in braces; undefined if there is none. */
  takeGroup(): Nodes | undefined {
    const from = this.at
    this.skipSpace()
    if (this.isBeforeGroup()) return this.takeArgument()
    this.at = from
    return undefined
  }

  /** The argument in brackets; undefined if there is none. */
  takeOption(): Nodes | undefined {
    if (!isString(this.nodes[this.at], '[')) return undefined
    const last = Math.min(this.nodes.length, this.at + MOST_OPTION_NODES)
    for (let to = this.at + 1; to < last; to += 1) {
      if (!isString(this.nodes[to], ']')) continue
      const option = this.nodes.slice(this.at + 1, to)
      this.at = to + 1
      return option
    }
    return undefined
  }

  skipOptions(): void {
    while (this.takeOption() !== undefined);
  }

  /** Skips arguments: at most so many in braces, and those in brackets around them. */
  skipArguments(count: number): void {
    this.skipStar()
    this.skipOptions()
    for (let i = 0; i < count && this.takeArgument() !== undefined; i += 1) this.skipOptions()
  }

  /** Skips a space and a word, which ends before a space or with the groups that follow it. */
  skipWord(): void {
    this.skipSpace()
    let node = this.nodes[this.at]
    while (node !== undefined && node.type !== 'parbreak' && !isSpace(node) && node.type !== 'group')
      node = this.nodes[++this.at]
    while (this.isBeforeGroup()) this.at += 1
  }

  /** Skips everything up to the first group, and this group. */
  skipDefinition(): void {
    while (this.at < this.nodes.length && !this.isBeforeGroup()) this.at += 1
    this.at += 1
  }

  /** The next letter, or the text of the next group; an accent stands on it. */
  takeLetter(): string | Nodes {
    this.skipSpace()
    const node = this.next()
    if (node?.type === 'string') return node.content
    return node === undefined ? [] : contentOf(node)
  }
}

/** The nodes between the nodes that a test accepts: one part more than there are such nodes. */
export function splitNodes(nodes: Nodes, isBetween: (node: Node) => boolean): Node[][] {
  const parts: Node[][] = [[]]
  for (const node of nodes) {
    if (isBetween(node)) parts.push([])
    else parts.at(-1)?.push(node)
  }
  return parts
}

export const isMacro = (node: Node, name: string) => node.type === 'macro' && node.content === name

export const isString = (node: Node | undefined, text: string) =>
  node?.type === 'string' && node.content === text

const isSpace = (node: Node | undefined) => node?.type === 'whitespace'

const contentOf = (node: Node): Nodes => (node.type === 'group' ? node.content : [node])
