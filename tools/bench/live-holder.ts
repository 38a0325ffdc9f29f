import { startChild } from './child.ts'
import type { LiveReport, LiveRequest } from './live-process.ts'

/** Starts a process that holds streams and feeds. */
export const startHolder = () =>
  startChild<LiveRequest, LiveReport | undefined>(import.meta.resolve('./live-process.ts'))
