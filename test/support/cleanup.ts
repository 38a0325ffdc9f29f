import { afterAll, onTestFinished, TestRunner } from 'vitest'

/** Runs `close` after the current test, or else after the current file or `describe` block. */
export function closeLater(close: () => Promise<unknown>): void {
  if (TestRunner.getCurrentTest() === undefined) afterAll(async () => void (await close()))
  else onTestFinished(async () => void (await close()))
}

/** Wraps a function so that all of its calls share one run. */
export function once<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => (running ??= run())
}
