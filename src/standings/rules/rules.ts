/** The result of a row of the standings. */
export interface Totals {
  readonly solved: number
  /** The sum of the best scores, in hundredths. */
  readonly points: number
  /** In minutes. */
  readonly penalty: number
  /** The minute of the last solved problem; -1: none is solved. */
  readonly lastMinute: number
}

/** How a contest ranks its participants (P22). */
export interface Rules {
  /** Rows and cells have points. */
  readonly hasPoints: boolean
  /** Negative: `a` is ranked before `b`; 0: they share a rank. */
  readonly compare: (a: Totals, b: Totals) => number
  /** The result can win an award. */
  readonly hasScored: (totals: Totals) => boolean
}

/** The tie-break of all rules: less penalty, then the earlier minute of the last solved problem. */
export const compareTimes = (a: Totals, b: Totals): number =>
  a.penalty - b.penalty || a.lastMinute - b.lastMinute
