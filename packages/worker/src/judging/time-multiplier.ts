import { findLanguage, type Language } from '@judge-data-layer/languages'
import type { JudgingLimits } from '../service/judging-options.ts'

/** The factor for a language's time limits: of the problem, else of the language file. */
export function findMultiplier(language: Language, limits: JudgingLimits | undefined): number {
  const factors = Object.entries(limits?.time_multipliers ?? {})
  const own = factors.find(([name]) => findLanguage([language], name) !== undefined)
  return own?.[1] ?? language.timeMultiplier
}
