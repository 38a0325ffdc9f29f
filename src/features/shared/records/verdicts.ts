/** SQL expression of the finest status of a verdict: its reason, if it has one (D23). */
export const finestStatus = (verdict: string) => `coalesce(${verdict}.reason, ${verdict}.status)`
