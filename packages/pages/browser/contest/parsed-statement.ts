/** A statement as HTML that is not sanitised, with its formulas apart. */
export interface ParsedStatement {
  readonly html: string
  /** By `keyOf`. Faulty formulas are absent. */
  readonly formulas: ReadonlyMap<string, MathElement>
}

/** An element of MathML, as data. */
export interface MathElement {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly styles: Readonly<Record<string, string>>
  readonly children: readonly (MathElement | string)[]
}

/** The class of the elements in the HTML that stand for formulas. */
export const MATH = 'statement-math'

/** The key of a formula. */
export const keyOf = (formula: string, isDisplay: boolean) => `${isDisplay ? '$$' : '$'}${formula}`
